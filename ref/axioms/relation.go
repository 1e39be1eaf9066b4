package axioms

import "math/bits"

// Rel is a relation on the events of a graph: a matrix of bits, a row for each
// event. The operations are those in which axioms are written; each returns a
// relation of its own.
type Rel struct {
	s    *space
	bits []uint64
}

// space is where the relations of one graph live. Relations are made by the
// thousand in a search, so their memory is used again after release.
type space struct {
	n, words int
	chunks   [][]uint64
	used     int
}

func newSpace(n int) *space { return &space{n: n, words: (n + 63) / 64} }

func (s *space) empty() Rel {
	if s.used == len(s.chunks) {
		s.chunks = append(s.chunks, make([]uint64, s.n*s.words))
	}
	b := s.chunks[s.used]
	s.used++
	clear(b)
	return Rel{s, b}
}

// mark and release bracket a computation whose relations are not kept.
func (s *space) mark() int        { return s.used }
func (s *space) release(mark int) { s.used = mark }

func (s *space) identity(of func(i int) bool) Rel {
	r := s.empty()
	for i := range s.n {
		if of(i) {
			r.add(i, i)
		}
	}
	return r
}

func (r Rel) row(i int) []uint64 { return r.bits[i*r.s.words : (i+1)*r.s.words] }

func (r Rel) add(i, j int) { r.bits[i*r.s.words+j>>6] |= 1 << (j & 63) }

// Has says whether event i is related to event j.
func (r Rel) Has(i, j int) bool { return r.bits[i*r.s.words+j>>6]>>(j&63)&1 != 0 }

// Pairs lists the relation.
func (r Rel) Pairs() []Pair {
	var pairs []Pair
	for i := range r.s.n {
		r.each(i, func(j int) { pairs = append(pairs, Pair{i, j}) })
	}
	return pairs
}

func (r Rel) each(i int, visit func(j int)) {
	for k, word := range r.row(i) {
		for ; word != 0; word &= word - 1 {
			visit(k<<6 + bits.TrailingZeros64(word))
		}
	}
}

func (r Rel) copy() Rel {
	d := r.s.empty()
	copy(d.bits, r.bits)
	return d
}

func (r Rel) or(others ...Rel) Rel {
	d := r.copy()
	for _, o := range others {
		for i, b := range o.bits {
			d.bits[i] |= b
		}
	}
	return d
}

func (r Rel) and(o Rel) Rel {
	d := r.copy()
	for i, b := range o.bits {
		d.bits[i] &= b
	}
	return d
}

func (r Rel) minus(o Rel) Rel {
	d := r.copy()
	for i, b := range o.bits {
		d.bits[i] &^= b
	}
	return d
}

// then is the composition: r, followed by the others.
func (r Rel) then(others ...Rel) Rel {
	for _, o := range others {
		r = r.followedBy(o)
	}
	return r
}

func (r Rel) followedBy(o Rel) Rel {
	d := r.s.empty()
	if r.s.words == 1 {
		composeWords(d.bits, r.bits, o.bits)
		return d
	}
	for i := range r.s.n {
		to := d.row(i)
		for k, word := range r.row(i) {
			for ; word != 0; word &= word - 1 {
				for x, b := range o.row(k<<6 + bits.TrailingZeros64(word)) {
					to[x] |= b
				}
			}
		}
	}
	return d
}

func (r Rel) inverse() Rel {
	d := r.s.empty()
	for i := range r.s.n {
		for k, word := range r.row(i) {
			for ; word != 0; word &= word - 1 {
				d.add(k<<6+bits.TrailingZeros64(word), i)
			}
		}
	}
	return d
}

// orSame is r?: r, or staying where one is.
func (r Rel) orSame() Rel {
	d := r.copy()
	for i := range r.s.n {
		d.add(i, i)
	}
	return d
}

// repeated is r+: r, once or more often.
func (r Rel) repeated() Rel {
	d := r.copy()
	if r.s.words == 1 {
		closeWords(d.bits)
		return d
	}
	for k := range r.s.n {
		via := d.row(k)
		for i := range r.s.n {
			if d.Has(i, k) {
				to := d.row(i)
				for x, b := range via {
					to[x] |= b
				}
			}
		}
	}
	return d
}

// composeWords and closeWords do the work where a row is one word, which is
// nearly always.
func composeWords(to, a, b []uint64) {
	for i, word := range a {
		all := uint64(0)
		for ; word != 0; word &= word - 1 {
			all |= b[bits.TrailingZeros64(word)]
		}
		to[i] = all
	}
}

func closeWords(rows []uint64) {
	for k, via := range rows {
		if via == 0 {
			continue
		}
		for i, row := range rows {
			if row>>k&1 != 0 {
				rows[i] = row | via
			}
		}
	}
}

func (r Rel) isEmpty() bool {
	for _, b := range r.bits {
		if b != 0 {
			return false
		}
	}
	return true
}

func (r Rel) irreflexive() bool {
	for i := range r.s.n {
		if r.Has(i, i) {
			return false
		}
	}
	return true
}

func (r Rel) acyclic() bool { return r.repeated().irreflexive() }
