package ptx

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// lanesSetting is what specs call the threads that carry out an operation together.
const lanesSetting = ref.LanesSetting

const apartSuffix = ".apart"

// team completes who carries out an operation: those that the setup says, else those that
// the module does. What stands in the spec is what a module alone would not say.
func (m *Module) team(setup Setup) (Setup, model.Settings, error) {
	lanes, threads := m.number(lanesWord), m.number(blockWord)
	switch {
	case setup.Lanes == 0 && setup.Warps == 0 && threads > machine.MostLanes:
		setup.Lanes, setup.Warps = 1, threads/machine.MostLanes
	case setup.Lanes == 0 && setup.Warps == 0:
		if setup.Lanes = max(1, lanes, threads); !setup.Apart {
			return setup, nil, nil
		}
	case lanes > 0 && (setup.Warps > 1 || setup.Lanes > machine.MostLanes):
		return setup, nil, fmt.Errorf("%s: lanes=%s: a process is a warp here, which has at most %d lanes", m.file, setup.LanesText(), machine.MostLanes)
	}
	return setup, model.Settings{lanesSetting: setup.LanesText()}, nil
}

// number is what a word of the module says, 0 if there is none.
func (m *Module) number(word string) int {
	if v := m.text.Variable(word); v != nil && len(v.Init) == 1 {
		return int(min(v.Init[0].Number, 1024))
	}
	return 0
}

// WithLanes is the setup with the lanes that a text says: 4 of them, or as in 2x4 those of
// two warps; apart as in 4.apart.
func (s Setup) WithLanes(text string) (Setup, error) {
	number, apart := strings.CutSuffix(text, apartSuffix)
	warps, lanes, several := strings.Cut(number, "x")
	if !several {
		warps, lanes = "1", number
	}
	s.Apart = apart
	var err, worse error
	s.Warps, err = strconv.Atoi(warps)
	s.Lanes, worse = strconv.Atoi(lanes)
	if err != nil || worse != nil || s.Warps < 1 || s.Lanes < 1 {
		return s, fmt.Errorf("lanes=%s: expected how many threads carry out an operation together, 1 to %d, or as in 2x4 the warps and the lanes of each; behind it %s for lanes that go on apart", text, ref.MostLanes, apartSuffix)
	}
	if _, err := machine.TeamOf(s.Warps, s.Lanes); err != nil {
		return s, fmt.Errorf("lanes=%s: %w", text, err)
	}
	return s, nil
}

// LanesText says the lanes as WithLanes takes them.
func (s Setup) LanesText() string {
	text := strconv.Itoa(s.Lanes)
	if s.Warps > 1 {
		text = fmt.Sprintf("%dx%d", s.Warps, max(1, s.Lanes))
	}
	if s.Apart {
		text += apartSuffix
	}
	return text
}
