package ref

// spinLock is the lock of the blocking structures: a word that is 0 when free.
type spinLock struct {
	word         Location
	take, freeUp Access
}

func (l *spinLock) lock(m Memory) {
	for {
		if _, locked := m.CompareAndSwap(l.word, 0, 1, l.take); locked {
			return
		}
	}
}

func (l *spinLock) unlock(m Memory) { m.Store(l.word, 0, l.freeUp) }
