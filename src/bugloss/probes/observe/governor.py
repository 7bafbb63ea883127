"""Which steps are looked at closely, and what observing may cost."""

import time

THREAD_TIME = getattr(time, "thread_time", None)  # since 3.7


class Governor(object):
    """Decides which steps are looked at closely, so that what observing costs stays within its budget.

    Early steps are sampled densely, later ones every ``interval`` steps. The budget is a share of the training time so
    far; a fixed allowance comes first, so that short runs are seen well. It is smaller where steps are slow: there a
    run that lasts longer than the allowance soon earns its samples, and each sample costs more.
    """

    DENSE = frozenset((0, 1, 2, 3, 5, 8, 12, 16, 20))
    FIRST_INTERVAL, LEAST_INTERVAL, MOST_INTERVAL = 25, 5, 5000
    ALLOWANCE, SLOW_ALLOWANCE, SLOW_STEP = 0.5, 0.1, 0.005
    MEASURABLE = 0.8  # of what observing costs; the rest is spent between our clocks and in colder caches
    MOST_LOAD = 5.0

    def __init__(self, budget=0.05, now=time.perf_counter, own=THREAD_TIME):
        self.budget = budget
        self.now = now
        self.own = own or now  # seconds on the processor; asking takes longer than asking the clock
        self.rich = True  # whether there is budget for what is only good to have on every step
        self.seconds = 0.0
        self.aside = 0.0  # of books with a purse of their own: not taken from what samples may cost
        self.samples = 0
        self.interval = self.FIRST_INTERVAL
        self._begun = None
        self._begun_own = 0.0
        self._load = 1.0
        self._steps = 0
        self._last = -1
        self._before = None
        self._typical = 0.0
        self._learned = 0
        self._asked = None
        self._gaps = []
        self._slow = False
        self._work = Work(self)

    def begin(self):
        """The first step begins; the time before does not count as training."""
        if self._begun is None:
            self._begun, self._begun_own = self.now(), self.own()

    @property
    def elapsed(self):
        return 0.0 if self._begun is None else self.now() - self._begun

    @property
    def taken(self):
        """Seconds that observing has taken, all in all."""
        return self.seconds + self.aside

    def set_aside(self, seconds):
        """What was just taken counts as cost, but leaves the allowance of samples alone."""
        self.aside += seconds
        if self._work.depth:
            self._work.start += seconds

    @property
    def allowed(self):
        """Seconds that observing may have taken by now."""
        training = max(self.elapsed - self.taken, 0.0)
        allowance = self.SLOW_ALLOWANCE if self._slow else self.ALLOWANCE
        return max(allowance * self._load, self.MEASURABLE * self.budget * training)

    def affords(self, seconds=0.0):
        return self.budget > 0 and self.seconds + seconds <= self.allowed

    def due(self, step):
        """Whether this step is sampled. Ask once a step; the first is always sampled."""
        self.begin()
        self._learn()
        self._time_step()
        self._steps += 1
        wanted = step in self.DENSE or step - self._last >= self.interval
        self.rich = self.budget > 0 and self.seconds <= self.allowed
        if not wanted or self.budget <= 0:
            return False
        self._weigh()
        if self.samples and not self.affords(self._typical):
            if step not in self.DENSE:
                self.interval = min(self.interval * 2, self.MOST_INTERVAL)
            return False
        if step not in self.DENSE and self.seconds + 5 * self._typical < 0.5 * self.allowed:
            self.interval = max(self.interval * 3 // 4, self.LEAST_INTERVAL)
        self._last = step
        self._before = self.seconds
        self.samples += 1
        return True

    def _weigh(self):
        """How much longer everything takes because others use the machine too: an allowance is meant without them."""
        own = self.own() - self._begun_own
        if own > 0.01:
            self._load = min(max(self.elapsed / own, 1.0), self.MOST_LOAD)

    def _learn(self):
        """What the last sample cost, smoothed."""
        if self._before is not None:
            cost, self._before = self.seconds - self._before, None
            # The first sample warms things up; it says little about the next ones.
            self._typical = cost if self._learned < 2 else 0.7 * self._typical + 0.3 * cost
            self._learned += 1

    def _time_step(self):
        """How long the step since the last question took, without our own part in it."""
        now = self.now() - self.taken
        if self._asked is not None and self._steps > 1:
            self._gaps.append(now - self._asked)
            if len(self._gaps) < 16 or self._steps % 16 == 0:
                del self._gaps[:-15]
                # The median: the first step may compile for seconds where the others are quick.
                self._slow = sorted(self._gaps)[len(self._gaps) // 2] >= self.SLOW_STEP * self._load
        self._asked = now

    def work(self):
        """Time within counts as cost, once however deep these are nested."""
        return self._work

    def cost(self):
        """The fields of a "cost" event that the governor knows."""
        return {
            "seconds": self.taken, "observed_seconds": self.elapsed, "interval": self.interval,
            "samples": self.samples,
        }  # fmt: skip


class Work(object):
    """The context of ``Governor.work``: a class, because it is entered on every step."""

    def __init__(self, governor):
        self.governor = governor
        self.depth = 0
        self.start = 0.0

    def __enter__(self):
        if not self.depth:
            self.start = self.governor.now()
        self.depth += 1

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        if not self.depth:
            self.governor.seconds += self.governor.now() - self.start
