import gc

import pytest

from bugloss.core.garbage import no_garbage_search


def test_the_search_goes_on_afterwards_even_if_something_fails():
    with pytest.raises(ValueError), no_garbage_search():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()


def test_whoever_had_stopped_it_keeps_it_stopped():
    gc.disable()
    try:
        with no_garbage_search():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
