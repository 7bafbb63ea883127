"""Distributions of others that offer packs, installed into a folder as pip would."""

from __future__ import annotations

from pathlib import Path


def install(site: Path, name: str, modules: dict[str, str]) -> str:
    """Installs a distribution; the pack is its module ``pack_of_NAME``, whose name is returned."""
    pack = f"pack_of_{name}"
    for path, text in modules.items():
        file = site / path.replace("PACK", pack)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    facts = site / f"{name}-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[bugloss.packs]\n{name} = {pack}\n")
    return pack
