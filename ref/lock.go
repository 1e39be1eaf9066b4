package ref

// spinLock is the lock of the blocking structures: a word that is 0 when free.
type spinLock struct {
	word            Location
	acquire, freeUp Access
	// broken is a planted defect: the lock is tested and set in two accesses.
	broken bool
	// absent is a planted defect: nobody locks.
	absent bool
}

func (l *spinLock) lock(m Memory) {
	if l.absent {
		return
	}
	for {
		if l.broken {
			if m.Load(l.word, l.acquire) == 0 {
				m.Store(l.word, 1, l.acquire)
				return
			}
			continue
		}
		if _, locked := m.CompareAndSwap(l.word, 0, 1, l.acquire); locked {
			return
		}
	}
}

func (l *spinLock) unlock(m Memory) {
	if !l.absent {
		m.Store(l.word, 0, l.freeUp)
	}
}
