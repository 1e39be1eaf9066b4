package format

import (
	"fmt"
	"slices"

	"stealproof/model"
)

// Other tools' words for the operations of a kind that has one operation to
// put in and one to take out.
var (
	putWords  = []string{"enq", "enqueue", "push", "put", "add", "insert", "offer"}
	takeWords = []string{"deq", "dequeue", "pop", "poll", "take", "remove"}
)

// opNamed reads the name of an operation as another tool may write it.
func opNamed(k model.Kind, word string) (model.Op, error) {
	if op, err := model.ParseOp(word); err == nil && k.Has(op) {
		return op, nil
	}
	switch {
	case k == model.FIFO && slices.Contains(putWords, word):
		return model.Enq, nil
	case k == model.FIFO && slices.Contains(takeWords, word):
		return model.Deq, nil
	case k == model.Bag && slices.Contains(putWords, word):
		return model.Put, nil
	case k == model.Bag && slices.Contains(takeWords, word):
		return model.Take, nil
	}
	return 0, fmt.Errorf("unknown operation %.40q: model %s has %s", word, k, opWords(k))
}

func opWords(k model.Kind) string {
	text := ""
	for i, op := range k.Ops() {
		if i > 0 {
			text += ", "
		}
		text += op.String()
	}
	return text
}
