package monitor

import "stealproof/linearize/internal/timing"

// absent stands where there is no operation, item or place.
const absent = timing.Absent

// none stands where there is no operation of an owner.
const none = -1
