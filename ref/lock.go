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

// newLock lays out a lock, with the defects that are planted in it.
func newLock(c *Config, s *Space, name string, acquire, freeUp Access) spinLock {
	acquire.Order, freeUp.Order = Acquire, Release
	return spinLock{
		word: s.Word(name, 0), acquire: acquire, freeUp: freeUp,
		broken: c.has("lock-in-two-steps"), absent: c.has("no-lock"),
	}
}

// without is the lock as those use it who leave it out.
func (l spinLock) without(absent bool) spinLock {
	l.absent = l.absent || absent
	return l
}

// around acts under the lock, or behind it where it is released too early.
func (l *spinLock) around(m Memory, early bool, act func()) {
	l.lock(m)
	if early {
		l.unlock(m)
		act()
		return
	}
	act()
	l.unlock(m)
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
