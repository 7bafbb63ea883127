import gc

import pytest

from bugloss.core.garbage import pause_garbage_collection


def test_the_search_goes_on_afterwards_even_if_something_fails():
    with pytest.raises(ValueError), pause_garbage_collection():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()


def test_whoever_had_stopped_it_keeps_it_stopped():
    gc.disable()
    try:
        with pause_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
