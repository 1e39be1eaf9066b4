package linearize

import "stealproof/model"

func init() {
	monitors[model.FIFO] = fifoMonitor
	monitors[model.Bag] = bagMonitor
	monitors[model.Range] = rangeMonitor
	monitors[model.WSDeque] = wsdequeMonitor
}
