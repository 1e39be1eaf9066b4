// A client of a work-stealing deque, for model checkers of C: an owner that pushes the
// tasks 1, 2, ..., then pops, and two thieves. What comes out was put in, and comes out
// once. The sizes are those of the table in docs/exhaustive.md.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUSHES
#define PUSHES 3
#define POPS 2
#define STEALS_1 2
#define STEALS_2 1
#endif

static bool push(unsigned task);
static bool pop(unsigned *task);   // false: empty
static bool steal(unsigned *task); // false: empty, or lost to somebody else

static unsigned popped[POPS], stolen_1[STEALS_1], stolen_2[STEALS_2];

static void *owner(void *unused)
{
	for (unsigned task = 1; task <= PUSHES; task++)
		push(task);
	for (int i = 0; i < POPS; i++) {
		unsigned task;
		if (pop(&task))
			popped[i] = task;
	}
	return unused;
}

static void *thief_1(void *unused)
{
	for (int i = 0; i < STEALS_1; i++) {
		unsigned task;
		if (steal(&task))
			stolen_1[i] = task;
	}
	return unused;
}

static void *thief_2(void *unused)
{
	for (int i = 0; i < STEALS_2; i++) {
		unsigned task;
		if (steal(&task))
			stolen_2[i] = task;
	}
	return unused;
}

static int times(unsigned task)
{
	int n = 0;
	for (int i = 0; i < POPS; i++)
		n += popped[i] == task;
	for (int i = 0; i < STEALS_1; i++)
		n += stolen_1[i] == task;
	for (int i = 0; i < STEALS_2; i++)
		n += stolen_2[i] == task;
	return n;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < POPS; i++)
		popped[i] = PUSHES + 1; // nothing
	for (int i = 0; i < STEALS_1; i++)
		stolen_1[i] = PUSHES + 1;
	for (int i = 0; i < STEALS_2; i++)
		stolen_2[i] = PUSHES + 1;
	if (pthread_create(&threads[0], 0, owner, 0) || pthread_create(&threads[1], 0, thief_1, 0) ||
	    pthread_create(&threads[2], 0, thief_2, 0))
		return 2;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	int out = times(PUSHES + 1);
	for (unsigned task = 1; task <= PUSHES; task++) {
		int n = times(task);
		assert(n <= 1); // a duplicate
		out += n;
	}
	assert(out == POPS + STEALS_1 + STEALS_2); // a task that was never pushed
	return 0;
}
