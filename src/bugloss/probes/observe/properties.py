"""Relations of ``relations/`` asked of copies once the program is over: what all frameworks share.

A framework's ``Properties`` remembers subjects: a copy of a model from before its first step, one batch, and the loss.
Each relation is tried on each subject and leaves one "property" event.
"""

import time
import warnings

from . import relations
from .relation import LESSON, NO_TIME, Answer, Untold

MOST_PARAMETERS = 5000000
MOST_SAMPLES = 32
SHORT_STEPS = 8
LEARNING_RATE = 0.003  # of Adam, which teaches
SECONDS = 4.0  # for all questions about one model
BEFORE_LESSONS = 0.5  # of this time; the rest is for relations that train


class Allowance(object):
    """How long one model may be asked. Where others use the machine too, it may take up to three times as long."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.began, self.began_work = time.time(), time.process_time()

    @property
    def spent(self):
        return self.spent_part(1.0)

    def spent_part(self, share):
        """Whether this share of the time is over."""
        passed, worked = time.time() - self.began, time.process_time() - self.began_work
        seconds = share * self.seconds
        return passed > seconds and (worked > seconds or passed > 3 * seconds)


class Asking(object):
    """Remembers at most a few subjects, and asks them when the program is over."""

    def __init__(self, recorder, seconds=SECONDS):
        self.recorder = recorder
        self.seconds = recorder.settings.get("question_seconds", seconds)
        self.lessons = recorder.settings.get("lessons", True)
        self.subjects = {}

    def kept_random(self):
        """A context that seeds every generator, and puts it back as it was."""
        raise NotImplementedError

    def try_all(self):
        subjects, self.subjects = self.subjects, {}
        with warnings.catch_warnings():  # what changed inputs bring up is not the program's
            warnings.simplefilter("ignore")
            for subject in subjects.values():
                self.try_one(subject)

    def try_one(self, subject):
        allowance = Allowance(self.seconds)
        for name, relation in relations.load():
            teaches = relation.COST >= LESSON
            late = allowance.spent_part(1.0 if teaches else BEFORE_LESSONS) or (teaches and not self.lessons)
            answer = Answer(None, NO_TIME) if late else self.answer(relation.ask, subject, allowance)
            if not all(map(is_finite, answer.facts.values())):  # numbers that are none say nothing
                answer.holds = None
            self.emit(name, relation.FAMILY, answer)

    def emit(self, name, family, answer):
        fields = {"family": family, "holds": answer.holds, "facts": answer.facts, "step": self.recorder.step}
        if answer.where is not None and answer.holds is False:
            fields.update(vars(answer.where))
        self.recorder.emit("property", name=name, **fields)

    def answer(self, ask, subject, allowance):
        try:
            with self.kept_random():
                return ask(subject, allowance)
        except Untold as reason:
            return Answer(None, {"why": str(reason)})
        except Exception as error:
            return Answer(None, {"why": explain(error)})


def explain(error):
    return "%s: %s" % (type(error).__name__, str(error).strip().split("\n")[0][:150])


def is_finite(fact):
    return not isinstance(fact, float) or abs(fact) < float("inf")
