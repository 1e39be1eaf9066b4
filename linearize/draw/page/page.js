
"use strict";
// What is drawn, the page has without this script. It adds steps from mark to mark, and of
// timelines the zoom, the true scale and the gaps.
(() => {
  const padding = 12, gapWidth = 46, edgeWidth = 46, left = 24, tail = 40;

  // timeline is one picture of bars: where everything stood when the page was written is
  // the order of moments; at(view) puts it where a view wants it.
  function timeline(frame) {
    const svg = frame.querySelector("svg.bars"), axis = frame.querySelector("svg.axis");
    const lines = [...svg.querySelectorAll(".tick")], words = [...axis.querySelectorAll(".when")];
    const stops = words.map((t) => ({ x: +t.getAttribute("x"), at: +t.dataset.at, edge: t.dataset.edge === "1", far: t.dataset.far === "1" }));
    const gaps = [...svg.querySelectorAll(".gap")].map((g) => {
      const rect = g.querySelector("rect");
      return { g, rect, label: axis.querySelector("[data-gap='" + g.dataset.after + "']"), after: +g.dataset.after, x: +rect.getAttribute("x"), width: +rect.getAttribute("width") };
    });
    const bars = [...svg.querySelectorAll(".bar")].map((g) => {
      const rect = g.querySelector("rect"), text = g.querySelector("text");
      const x = +rect.getAttribute("x");
      return { g, rect, text, label: text.textContent, x, end: x + +rect.getAttribute("width"), from: +g.dataset.from, to: g.dataset.to === "" ? -1 : +g.dataset.to, cuts: [...g.querySelectorAll(".cut")] };
    });
    const width0 = +svg.getAttribute("width");
    const bands = [...svg.querySelectorAll(".band")];

    // placed are the stops of a view on the true scale, from what is to fit on the screen.
    function placed(view) {
      const fixed = (s, i) => i > 0 && (s.edge || stops[i - 1].edge || (view.collapse && s.far));
      let time = 0, room = (view.paper || frame.clientWidth) - frame.querySelector(".names").clientWidth - left - tail - 4;
      stops.forEach((s, i) => {
        if (i === 0) return;
        if (fixed(s, i)) room -= s.far && view.collapse ? gapWidth : edgeWidth;
        else time += s.at - stops[i - 1].at;
      });
      const scale = time > 0 ? Math.max(room, 200) * view.zoom / time : 1;
      let x = left;
      return stops.map((s, i) => {
        if (i > 0) x += fixed(s, i) ? (s.far && view.collapse ? gapWidth : edgeWidth) : (s.at - stops[i - 1].at) * scale;
        return x;
      });
    }

    function draw(view) {
      const far = placed(view);
      const x = (s) => (view.scale ? far[s] : stops[s].x * view.zoom);
      const width = Math.ceil(view.scale ? (far.length ? far[far.length - 1] : 0) + tail : width0 * view.zoom);
      for (const s of [svg, axis]) {
        s.setAttribute("width", width);
        s.setAttribute("viewBox", "0 0 " + width + " " + s.getAttribute("height"));
      }
      bands.forEach((b) => b.setAttribute("width", width));
      let free = 0;
      stops.forEach((s, i) => {
        const half = 7 * words[i].textContent.length / 2, at = x(i);
        lines[i].setAttribute("x1", at);
        lines[i].setAttribute("x2", at);
        words[i].setAttribute("x", at);
        const fits = at - half >= free;
        words[i].classList.toggle("crowded", !fits);
        lines[i].classList.toggle("crowded", view.scale && !fits); // a thousand lines are a wall
        if (fits) free = at + half + 6;
      });
      free = 0;
      for (const g of gaps) {
        const shown = !view.scale || view.collapse;
        const middle = view.scale ? (x(g.after) + x(g.after + 1)) / 2 : (g.x + g.width / 2) * view.zoom;
        const half = 7 * g.label.textContent.length / 2, fits = middle - half >= free;
        g.g.classList.toggle("crowded", !shown);
        g.label.classList.toggle("crowded", !shown || !fits);
        if (fits) free = middle + half + 6;
        g.rect.setAttribute("x", middle - g.width / 2);
        g.label.setAttribute("x", middle);
      }
      for (const b of bars) {
        const from = view.scale ? x(b.from) : b.x * view.zoom;
        const to = view.scale ? (b.to < 0 ? width - padding : x(b.to)) : b.end * view.zoom;
        const breadth = Math.max(3, to - from), fits = Math.floor((breadth - 8) / 7.3), marked = b.g.classList.contains("marked");
        const outside = fits < b.label.length && marked;
        b.rect.setAttribute("x", from);
        b.rect.setAttribute("width", breadth);
        b.text.setAttribute("x", outside ? from + breadth + 3 : from + Math.min(padding / 2, 4));
        b.text.classList.toggle("outside", outside);
        b.text.textContent = outside || fits >= b.label.length ? b.label : fits < 2 ? "" : b.label.slice(0, fits - 1) + "…";
        for (const c of b.cuts) c.setAttribute("transform", "translate(" + (c.dataset.side === "left" ? from : from + breadth) + ",0)");
      }
    }
    return { frame, draw };
  }

  const timelines = [...document.querySelectorAll(".picture.timeline")].map(timeline);
  const marks = [...document.querySelectorAll("[data-mark]")];
  const first = { zoom: 1, scale: marks.length === 0, collapse: true }, view = { ...first };
  let here = -1;

  // centre scrolls the picture around an element, and the page around the picture.
  function centre(el) {
    const frame = el.closest(".picture");
    if (!frame) return;
    const f = frame.getBoundingClientRect(), r = (el.querySelector("rect") || el).getBoundingClientRect();
    frame.scrollLeft += r.left + Math.min(r.width, f.width / 2) / 2 - f.left - f.width / 2;
    frame.scrollTop += r.top - f.top - f.height / 2;
    if (f.top < 60 || f.bottom > innerHeight) scrollBy(0, f.top - 70);
  }

  function show(el) {
    document.querySelectorAll(".here").forEach((e) => e.classList.remove("here"));
    el.classList.add("here");
    const row = document.getElementById((el.getAttribute("href") || "").slice(1));
    if (row) row.classList.add("here");
    arrowsOf(el).forEach((a) => a.classList.add("here"));
    centre(el);
    el.focus({ preventScroll: true });
  }

  // arrowsOf are the arrows that begin or end at an access.
  function arrowsOf(el) {
    const s = el.dataset.step;
    return s ? [...document.querySelectorAll(".arrow[data-from='" + s + "'], .arrow[data-to='" + s + "']")] : [];
  }
  document.querySelectorAll(".access[data-step]").forEach((el) => {
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]])
      el.addEventListener(event, () => arrowsOf(el).forEach((a) => a.classList.toggle("here", on)));
  });

  function step(by) {
    if (!marks.length) return;
    const now = marks.indexOf(document.activeElement);
    here = now >= 0 ? now : here;
    here = here < 0 ? (by > 0 ? 0 : marks.length - 1) : (here + by + marks.length) % marks.length;
    show(marks[here]);
    where.textContent = here + 1 + " of " + marks.length;
  }

  function redraw(change) {
    Object.assign(view, change);
    view.zoom = Math.min(Math.max(view.zoom, 0.25), 256);
    const middle = timelines.map((t) => (t.frame.scrollLeft + t.frame.clientWidth / 2) / t.frame.scrollWidth);
    timelines.forEach((t) => t.draw(view));
    timelines.forEach((t, i) => (t.frame.scrollLeft = middle[i] * t.frame.scrollWidth - t.frame.clientWidth / 2));
    if (here >= 0) centre(marks[here]);
    scale.checked = view.scale;
    gaps.checked = view.collapse;
    gaps.disabled = !view.scale;
  }

  function button(name, key, title, act) {
    const b = document.createElement("button");
    b.type = "button";
    b.append(name);
    b.title = title + " (key " + key + ")";
    b.insertAdjacentElement("beforeend", Object.assign(document.createElement("kbd"), { textContent: key }));
    b.addEventListener("click", act);
    keys[key] = act;
    return b;
  }

  function box(name, key, title, act) {
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "checkbox";
    label.title = title + " (key " + key + ")";
    label.append(input, name, Object.assign(document.createElement("kbd"), { textContent: key }));
    input.addEventListener("change", act);
    keys[key] = act;
    return [label, input];
  }

  const keys = {};
  const where = document.createElement("output");
  const [scaleBox, scale] = box("true scale", "s", "as long as it took, or one moment after the other", () => redraw({ scale: !view.scale }));
  const [gapsBox, gaps] = box("collapse gaps", "g", "cut out the time in which nothing began or ended", () => view.scale && redraw({ collapse: !view.collapse }));
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.setAttribute("role", "toolbar");
  tools.setAttribute("aria-label", "picture");
  if (marks.length) tools.append(button("← previous", "p", "the marked one before", () => step(-1)), button("next →", "n", "the next marked one", () => step(1)), where);
  if (timelines.length) {
    tools.append(button("zoom in", "+", "longer", () => redraw({ zoom: view.zoom * 1.5 })), button("zoom out", "-", "shorter", () => redraw({ zoom: view.zoom / 1.5 })),
      button("reset", "0", "as at first", () => redraw(first)), scaleBox, gapsBox);
    redraw({});
  }
  if (tools.children.length) document.querySelector("h1").after(tools);

  addEventListener("keydown", (e) => {
    const act = keys[e.key === "=" ? "+" : e.key];
    if (act && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      act();
    }
  });
  // On paper nobody scrolls: a timeline is drawn to scale, as wide as a page.
  let screen = null;
  addEventListener("beforeprint", () => {
    screen = { ...view };
    redraw({ zoom: 1, scale: true, collapse: true, paper: 960 });
  });
  addEventListener("afterprint", () => redraw({ ...screen, paper: 0 }));

  // A link to a row opens what it is folded into; one to a bar scrolls to it.
  addEventListener("hashchange", arrive);
  function arrive() {
    const to = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!to) return;
    const folded = to.closest("details");
    if (folded) folded.open = true;
    if (to.closest("table")) to.scrollIntoView({ block: "center" });
    if (to.closest(".picture")) {
      here = marks.indexOf(to);
      show(to);
    }
  }
  arrive();
})();
