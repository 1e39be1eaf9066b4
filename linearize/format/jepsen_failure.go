package format

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"stealproof/model"
)

// What a removal that failed claims hangs on the words of :error. Without the
// claim a violation may be missed, with one that was not meant there is a false
// alarm; so only plain words make one, and words that may be one are refused.
var (
	saysEmpty = regexp.MustCompile(`^((the )?(queue|deque|stack|bag|range|pool|list|buffer)( is| was)? |(queue|deque|stack|bag|range|pool|list|buffer)[-_])?empty[.!]?$`)
	saysFull  = regexp.MustCompile(strings.Replace(saysEmpty.String(), "empty", "full", 1))
	hasEmpty  = regexp.MustCompile(`(^|[^a-z])empty([^a-z]|$)`)
	hasFull   = regexp.MustCompile(`(^|[^a-z])full([^a-z]|$)`)
)

// failure is what an operation said that failed. The reason is a keyword or a
// string, by itself or first in a vector, as in [:timeout "no reply"].
func (j *jepsen) failure(op model.Op, e entry) (model.Result, error) {
	reasons := []ednValue{e.failure}
	if e.failure.kind == ednVector {
		reasons = e.failure.items
	}
	result, says, has, example := model.Empty, saysEmpty, hasEmpty, ":empty"
	if op.Puts() {
		result, says, has, example = model.Full, saysFull, hasFull, ":full"
	}
	for i := range reasons {
		text := words(&reasons[i])
		if i == 0 && says.MatchString(text) {
			return result, nil
		}
		if has.MatchString(text) {
			return 0, j.fail(e.line, ":error: %s may mean that %s found it so, or something else: expected %s, or a reason without the word", quotedShort(text), op, example)
		}
	}
	return model.Abort, nil
}

// words are those of a keyword or a string, in small letters.
func words(v *ednValue) string {
	switch {
	case v.kind == ednKeyword:
		return strings.ToLower(v.text)
	case v.kind == ednOther:
		return strings.ToLower(strings.Trim(v.text, "\" \t"))
	}
	return ""
}

func quotedShort(text string) string { return fmt.Sprintf("%.60q", text) }

// key is the object that an entry names beside its value. If some entries have
// one and others do not, nobody knows what the others are about.
func (j *jepsen) key(e entry) (uint32, error) {
	given := e.key.kind != ednNil
	if j.entered == 0 {
		j.keyed = given
	}
	j.entered++
	switch {
	case given != j.keyed && given:
		return 0, j.fail(e.line, ":key: the entries before this one have none: expected it in all entries or in none")
	case given != j.keyed:
		return 0, j.fail(e.line, ":key is missing: the entries before this one have it")
	case !given:
		return 0, nil
	case j.h.Kind != model.Range && e.value.kind == ednVector:
		return 0, j.fail(e.line, ":value: the object is given twice, by :key and by the vector: expected the value alone")
	}
	key, err := j.number(e.line, "key", e.key, math.MaxUint32)
	return uint32(key), err
}

// onKey is said of a completion that may have another key than its call.
func (j *jepsen) onKey(who caller) string {
	if !j.keyed {
		return ""
	}
	return fmt.Sprintf(" with :key %d", who.key)
}
