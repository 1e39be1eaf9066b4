// Command stealproof decides whether the queues that spread work over a GPU
// are correct.
package main

import (
	"context"
	"os"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/exit"
)

func main() {
	ctx := exit.WithSignals(context.Background())
	os.Exit(command.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
