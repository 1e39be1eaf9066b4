package histories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/linearize/format"
	"stealproof/model"
)

type convertFlags struct {
	model, from, to string
	memory          uint64
}

// ConvertCommand is "stealproof convert".
func ConvertCommand(con *console.Console) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Convert a history from one format into another, by file ending",
		Long: `Reads a history, checks that it is one (docs/history-format.md), and writes it in another format.
The endings of the files say which:

  .jsonl, .jsonl.gz   JSON Lines, plain or compressed       read and written
  .sph                binary records, for C and CUDA        read and written
  .edn                Jepsen's maps                         read
  .txt, .log          "push 1 10 20" or "[3] call add(1)"   read; these have no
                      words for abort, full and several objects, so nothing
                      is converted into them
  .parquet            a table for DuckDB, pandas and others written

'-' is standard input or output: then --from or --to names the format, as one of
jsonl, jsonl.gz, sph, edn, text, parquet. A name without an ending, as shells give
to pipes, is JSON Lines unless --from or --to says otherwise. Between JSON Lines the
file is copied, so that fields that stealproof does not know are kept.`,
		Example: `  stealproof convert run.sph run.jsonl
  stealproof convert --model fifo jepsen.edn run.sph
  my-kernel | stealproof convert --from sph - run.parquet`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("convert: expected two files, IN and OUT, found %d (see \"stealproof convert --help\")", len(args))
			}
			return usage.NoEmptyName("convert", args)
		},
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			// exit code 0 where what was asked for was done
			return model.Linearizable, convert(cmd.Context(), con, f, args[0], args[1])
		}).RunE,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.model, "model", "", "what the objects are, whatever the file says: wsdeque, fifo, range or bag")
	fl.StringVar(&f.from, "from", "", "format of IN, whatever its ending says")
	fl.StringVar(&f.to, "to", "", "format of standard output, or of an OUT without an ending (default jsonl)")
	fl.Uint64Var(&f.memory, "memory", 0, "memory limit in MiB (default half of the machine's)")
	return cmd
}

func convert(ctx context.Context, con *console.Console, f convertFlags, in, out string) error {
	con.Report.Question.Files = []string{in, out}
	if out == "-" && con.Report.JSON() {
		return errors.New("--json does not apply where the history itself is written to standard output")
	}
	var kind model.Kind
	var err error
	if f.model != "" {
		if kind, err = model.ParseKind(f.model); err != nil {
			return fmt.Errorf("--model: %w", err)
		}
	}
	if f.to != "" && out != "-" && filepath.Ext(out) != "" {
		return fmt.Errorf("--to is for standard output and names without an ending: that of %s says its format", out)
	}
	to, err := files.Formats().WrittenAs(out, f.to) // before a long read
	if err != nil {
		return err
	}
	if out != "-" {
		if err := files.CanWrite(out); err != nil {
			return err
		}
	}
	from, err := files.Formats().ReadAs(in, f.from)
	if err != nil {
		return err
	}
	defer keepTo(f.memory)()
	o := format.Options{Kind: kind, Memory: mebibytes(f.memory), From: from}
	if isLines(from) && isLines(to) && kind == 0 {
		err = copyLines(ctx, con, in, out, to, o)
	} else {
		err = convertOver(ctx, con, in, out, to, o)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func isLines(format string) bool { return format == "jsonl" || format == "jsonl.gz" }

func convertOver(ctx context.Context, con *console.Console, in, out, to string, o format.Options) error {
	h, err := readHistory(ctx, con, in, o)
	if err != nil {
		return err
	}
	return writeOut(ctx, con, out, func(w io.Writer) error { return files.Formats().Write(w, h, to) })
}

// writeOut has a file written, or standard output.
func writeOut(ctx context.Context, con *console.Console, out string, write func(w io.Writer) error) error {
	if out == "-" {
		return notWritten(write(console.StoppableWriter(ctx, con.Out)))
	}
	return format.Replace(out, func(w io.Writer) error { return write(console.StoppableWriter(ctx, w)) })
}

// copyLines checks the lines while it copies them, byte for byte.
func copyLines(ctx context.Context, con *console.Console, in, out, to string, o format.Options) error {
	source, name := con.In, "standard input"
	if in != "-" {
		f, err := os.Open(in)
		if err != nil {
			return files.Error(in, err)
		}
		defer f.Close()
		if err := format.CheckSize(f, in, o); err != nil {
			return err
		}
		source, name = f, in
	}
	source = console.StoppableReader(ctx, source)
	return writeOut(ctx, con, out, func(w io.Writer) error {
		return copyChecked(w, func(w io.Writer) error { return format.CopyLines(w, source, name, o.From, to, o) })
	})
}

// notWritten names standard output in errors that are not those of the input.
func notWritten(err error) error {
	var input *format.InputError
	if err == nil || errors.As(err, &input) {
		return err
	}
	return files.Error("standard output", err)
}

// copyChecked tells errors of writing from those of the input.
func copyChecked(w io.Writer, check func(w io.Writer) error) error {
	copied := &console.Delivered{To: w}
	err := check(copied)
	if failed := copied.Err(); failed != nil {
		return failed
	}
	return err
}
