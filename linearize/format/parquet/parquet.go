// Package parquet writes histories as tables. It is a folder of its own, since it
// needs a library that only those should link who want such tables.
package parquet

import (
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"stealproof/linearize/format"
	"stealproof/model"
)

// row is an operation as a row of a table. What an operation does not say is
// null.
type row struct {
	Object  uint32  `parquet:"object"`
	Process uint32  `parquet:"process"`
	Op      string  `parquet:"op,dict"`
	Result  *string `parquet:"result,dict,optional"`
	Value   *uint64 `parquet:"value,optional"`
	To      *uint64 `parquet:"to,optional"`
	Size    *uint64 `parquet:"size,optional"`
	Call    uint64  `parquet:"call"`
	Return  *uint64 `parquet:"return,optional"`
	Line    uint32  `parquet:"line"`
}

const parquetBatch = 4096

// Format returns the format of such tables, to be appended to [format.Standard].
func Format() format.Format {
	return format.Format{Name: "parquet", Endings: []string{".parquet"}, Write: Write}
}

// Write writes a history as a Parquet table, a row per operation, for
// DuckDB, pandas and the like. What the header of a history says stands among
// the file's key-value metadata, with the prefix "stealproof.".
func Write(w io.Writer, h *model.History) error {
	options := []parquet.WriterOption{parquet.Compression(&parquet.Snappy)}
	for _, m := range parquetMetadata(h) {
		options = append(options, parquet.KeyValueMetadata("stealproof."+m[0], m[1]))
	}
	table := parquet.NewGenericWriter[row](w, options...)
	rows := make([]row, 0, parquetBatch)
	for i := range h.Ops {
		rows = append(rows, rowOf(&h.Ops[i]))
		if len(rows) == parquetBatch || i == len(h.Ops)-1 {
			if _, err := table.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return table.Close()
}

func parquetMetadata(h *model.History) [][2]string {
	all := [][2]string{{"model", h.Kind.String()}}
	if h.Params.Capacity > 0 {
		all = append(all, [2]string{"capacity", strconv.FormatUint(h.Params.Capacity, 10)})
	}
	if h.Params.Shared {
		all = append(all, [2]string{"shared", "true"})
	}
	if h.Clock.Source != "" {
		all = append(all, [2]string{"clock.source", h.Clock.Source})
	}
	if h.Clock.Unit != "" {
		all = append(all, [2]string{"clock.unit", h.Clock.Unit})
	}
	if h.Clock.Resolution > 0 {
		all = append(all, [2]string{"clock.resolution", strconv.FormatUint(h.Clock.Resolution, 10)})
	}
	if len(h.Meta) > 0 {
		all = append(all, [2]string{"meta", string(h.Meta)})
	}
	return all
}

func rowOf(o *model.Operation) row {
	r := row{Object: o.Object, Process: o.Process, Op: o.Op.String(), Call: o.Call, Line: o.Line}
	if o.Result != model.Unknown {
		text := o.Result.String()
		r.Result = &text
	}
	if o.Value != model.NoValue {
		r.Value = &o.Value
	}
	if o.To > 0 {
		r.To = &o.To
	}
	if o.Size > 0 {
		r.Size = &o.Size
	}
	if !o.Pending() {
		r.Return = &o.Return
	}
	return r
}
