"""The papers' analyses, rerun: data enter, tables leave, each with what the paper prints beside what the data say."""
