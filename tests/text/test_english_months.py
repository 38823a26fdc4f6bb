"""English dates and numbers are read without Babel, as CLDR has them."""

import subprocess
import sys
from pathlib import Path

from babel.dates import get_month_names
from babel.numbers import get_decimal_symbol

from text.dates import load_month_names

ROOT = Path(__file__).parents[2]


def test_the_english_months_are_those_of_cldr() -> None:
    forms = [get_month_names(width, locale="en") for width in ("wide", "abbreviated")]
    listed = {name: number for form in forms for number, name in form.items()}
    known = load_month_names("en")
    assert {name: known[name] for name in listed} == listed
    assert get_decimal_symbol("en") == "."


def test_english_text_is_read_without_babel() -> None:
    code = (
        "import sys; from text.dates import find_dates; from text.numbers import find_quantities; "
        "print(len(find_dates('on May 1, 2024', 'en')), 'babel' in sys.modules); "
        "find_quantities('3.5 km', 'en'); print('babel' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "False", "False"]
