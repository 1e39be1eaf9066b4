package format

import (
	"errors"
	"fmt"

	"stealproof/model"
)

// shapes says for every op and result of a kind whether they go together and
// whether a value belongs to them: the contract's table, for quick look-ups.
type shapes [sphOpCodes][sphResultCodes]shape

type shape struct {
	legal bool
	// pending: only an operation that never came back may be like that.
	pending bool
	// needs a value; may name one although it moves none.
	needs, may bool
	owner      bool
}

func newShapes(k model.Kind, p model.Params) *shapes {
	var s shapes
	for _, op := range k.Ops() {
		for _, r := range append([]model.Result{model.Unknown}, k.Results(op)...) {
			o := model.Operation{Op: op, Result: r}
			needs := o.PutsIn() || o.TakesOut()
			s[op][r] = shape{legal: true, pending: r == model.Unknown, needs: needs, may: r == model.Full, owner: k.OwnerOnly(op, p)}
		}
	}
	return &s
}

func (s *shapes) of(o *model.Operation) shape {
	if int(o.Op) >= sphOpCodes || int(o.Result) >= sphResultCodes {
		return shape{}
	}
	return s[o.Op][o.Result]
}

// normalise drops what an operation of a kind does not say: the value of an
// empty removal, the size of a put. All readers give histories of this form.
func (s shape) normalise(k model.Kind, o *model.Operation) {
	if !s.needs && !s.may {
		o.Value = model.NoValue
	}
	if k != model.Range || o.Value == model.NoValue {
		o.To = 0
	}
	if k != model.Range || o.Op.Puts() {
		o.Size = 0
	}
}

// alone says whether the operation, looked at by itself, is certainly as the
// contract wants it.
func (s shape) alone(k model.Kind, o *model.Operation) bool {
	switch {
	case !s.legal || s.pending && o.Return != model.Never || o.Return < o.Call || o.Call == model.Never || o.Size > model.MaxValue:
		return false
	case o.Value == model.NoValue:
		return !s.needs
	case o.Value > model.MaxValue:
		return false
	case k != model.Range:
		return true
	}
	return o.Value < o.To && o.To <= model.MaxValue && (o.Size > 0 || o.Op.Puts())
}

// whyInvalid puts into words why an operation is not as the contract wants it.
func whyInvalid(h *model.History, o *model.Operation) string {
	var invalid *model.InvalidError
	if err := h.With([]model.Operation{*o}).Validate(); errors.As(err, &invalid) {
		return invalid.Msg
	}
	switch {
	case o.Call == model.Never:
		return "call: expected a number below 2^64-1"
	case o.Value != model.NoValue && o.Value > model.MaxValue:
		return fmt.Sprintf("value: expected a number below 2^63, found %d", o.Value)
	case o.Size > model.MaxValue:
		return fmt.Sprintf("size: expected a number below 2^63, found %d", o.Size)
	}
	return fmt.Sprintf("the range [%d,%d) of the %s: expected from < to < 2^63", o.Value, o.To, o.Op)
}
