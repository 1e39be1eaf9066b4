// Package page writes pages of HTML for people: one file that needs nothing else, no
// network, no other files. It is light or dark as the reader's system is, prints, and
// can be read without its script, which only adds convenience: steps from mark to mark,
// zoom, the true scale of times.
package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
)

// The page is written by hand and not by a template, so that packages of tests,
// which can draw as well, do not all link the engine of templates.

// pictureStyle is that of what is drawn, pageStyle that of all around it.
//
//go:embed picture.css
var pictureStyle string

//go:embed page.css
var pageStyle string

//go:embed page.js
var script string

// Writer writes HTML or SVG: every text that it is given is escaped, the format is not.
type Writer struct{ w *bufio.Writer }

// Print writes a format whose texts are escaped.
func (w *Writer) Print(format string, values ...any) {
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = html.EscapeString(strings.ToValidUTF8(text, "\uFFFD"))
		}
	}
	fmt.Fprintf(w.w, format, values...)
}

// Begin writes a page's head, up to its first heading.
func Begin(to io.Writer, title string) *Writer {
	w := &Writer{bufio.NewWriter(to)}
	style := pictureStyle + pageStyle
	w.Print(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; script-src '%s'">
<title>%s</title>
<style>`, digest(style), digest(script), title)
	w.w.WriteString(style)
	w.Print("</style>\n</head>\n<body>\n<h1>%s</h1>\n", title)
	return w
}

// digest is what a browser compares a style or a script with that it is to trust.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// End ends the page, and returns the first error of any write.
func (w *Writer) End() error {
	w.w.WriteString("<script>")
	w.w.WriteString(script)
	w.w.WriteString("</script>\n</body>\n</html>\n")
	return w.w.Flush()
}

// BeginSVG begins a picture that is a file of its own.
func BeginSVG(to io.Writer, width, height int, title string) *Writer {
	w := &Writer{bufio.NewWriter(to)}
	w.Print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%[1]d\" height=\"%[2]d\" viewBox=\"0 0 %[1]d %[2]d\" role=\"img\" aria-label=\"%[3]s\">\n<title>%[3]s</title>\n<style>", width, height, title)
	w.w.WriteString(pictureStyle)
	w.Print("</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width, height)
	return w
}

// EndSVG ends it, and returns the first error of any write.
func (w *Writer) EndSVG() error {
	w.w.WriteString("</svg>\n")
	return w.w.Flush()
}
