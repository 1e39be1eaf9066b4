// Package pagetest reads pages back, for the tests of who writes them.
package pagetest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Page is what a page has.
type Page struct {
	IDs     map[string]bool
	Links   map[string]int // how often each is linked to
	Classes map[string]int // how many elements have each, as written
	Tags    map[string]int
}

var scripts = regexp.MustCompile(`(?s)<(style|script)>(.*?)</(?:style|script)>`)

// Parse reads a page of HTML, and fails the test unless it is well formed, needs
// nothing from outside, every link leads somewhere, and the browser is told to run no
// script but its own.
func Parse(t testing.TB, text string) *Page {
	t.Helper()
	found := scripts.FindAllStringSubmatch(text, -1)
	require.Len(t, found, 2, "a style and a script")
	for _, s := range found {
		sum := sha256.Sum256([]byte(s[2]))
		require.Contains(t, text, s[1]+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		for _, outside := range []string{"http:", "https:", "url(", "@import", "fetch(", "innerHTML"} {
			require.NotContains(t, s[2], outside)
		}
	}
	require.Contains(t, text, "default-src 'none'")
	p := read(t, scripts.ReplaceAllString(text, ""))
	for link := range p.Links {
		require.True(t, strings.HasPrefix(link, "#"), "the page must need nothing else: %s", link)
		require.True(t, p.IDs[link[1:]], "%s leads nowhere", link)
	}
	for _, tag := range []string{"link", "img", "iframe", "object", "image", "use"} {
		require.Zero(t, p.Tags[tag], tag)
	}
	return p
}

// WellFormed fails the test unless a picture is XML that needs nothing from outside.
func WellFormed(t testing.TB, svg string) {
	t.Helper()
	p := read(t, svg)
	require.Empty(t, p.Links)
	require.NotContains(t, strings.ReplaceAll(svg, "http://www.w3.org/2000/svg", ""), "http")
}

func read(t testing.TB, text string) *Page {
	t.Helper()
	p := &Page{IDs: map[string]bool{}, Links: map[string]int{}, Classes: map[string]int{}, Tags: map[string]int{}}
	d := xml.NewDecoder(strings.NewReader(text))
	if strings.HasPrefix(text, "<!DOCTYPE html>") {
		d.Strict, d.AutoClose = false, []string{"meta"}
	}
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			require.Zero(t, depth)
			return p
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			p.element(t, e)
		}
	}
}

func (p *Page) element(t testing.TB, e xml.StartElement) {
	t.Helper()
	p.Tags[e.Name.Local]++
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "id":
			require.False(t, p.IDs[a.Value], "id %s stands twice", a.Value)
			p.IDs[a.Value] = true
		case "href":
			p.Links[a.Value]++
		case "class":
			p.Classes[a.Value]++
		case "src", "style", "srcset":
			require.Fail(t, "no "+a.Name.Local)
		}
		require.False(t, strings.HasPrefix(a.Name.Local, "on"), "no script in attributes")
	}
}
