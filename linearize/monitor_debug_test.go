package linearize

import (
	"context"
	"fmt"
	"testing"

	"stealproof/model"
)

func TestDebug(t *testing.T) {
	N := uint64(model.Never)
	h := &model.History{Kind: model.WSDeque, Ops: []model.Operation{
		{Op: model.Steal, Result: model.Empty, Call: 2, Return: 2},
		{Op: model.Push, Result: model.OK, Value: 2, Call: 2, Return: 2},
		{Op: model.Steal, Result: model.OK, Value: 2, Call: 2, Return: 2},
		{Op: model.Push, Result: model.OK, Value: 4, Call: 2, Return: 3},
		{Op: model.Pop, Result: model.Unknown, Call: 3, Return: N},
		{Op: model.Steal, Result: model.Empty, Call: 4, Return: 5, Process: 1},
	}}
	fmt.Println(CheckSmall(h))
	d, bad := newDeque(h)
	fmt.Println(bad, d.lastIsUnknownPop())
	w := d.withLastPop()
	d.dropLastOwn()
	fmt.Println(d.decide(), w.decide())
	fmt.Println(wsdequeMonitor(context.Background(), h))
}
