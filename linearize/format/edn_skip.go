package format

// skip passes over white space, commas, comments and values behind #_, and
// returns what follows.
func (e *ednReader) skip() (byte, error) {
	for {
		c, err := e.byte()
		switch {
		case err != nil:
			return 0, err
		case c == ';':
			if err := e.comment(); err != nil {
				return 0, err
			}
		case c == '#' && e.discards():
			if err := e.discard(); err != nil {
				return 0, err
			}
		case !isSpace(c) && c != ',':
			return c, nil
		}
		if e.depth == 0 {
			e.left = ednMaxForm
		}
	}
}

// discards says whether the # just read belongs to #_.
func (e *ednReader) discards() bool {
	next, err := e.r.Peek(1)
	return err == nil && next[0] == '_'
}

func (e *ednReader) discard() error {
	if e.depth++; e.depth > ednMaxDepth {
		return ednFail("nested deeper than %d", ednMaxDepth)
	}
	defer func() { e.depth-- }()
	if _, err := e.byte(); err != nil { // the _
		return err
	}
	c, err := e.skip()
	if err != nil {
		return err
	}
	_, err = e.value(c)
	return err
}

func (e *ednReader) comment() error {
	for {
		if c, err := e.byte(); err != nil || c == '\n' {
			return err
		}
	}
}
