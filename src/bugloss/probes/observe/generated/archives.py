"""Files of the kinds that data sets are stored in: archives, images and sounds, as bytes."""

import io
import struct
import tarfile
import wave
import zipfile
import zlib


def packed(name, files):
    """An archive of pairs (path, bytes); the ending of its name says which kind."""
    buffer = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            for path, data in files:
                archive.writestr(path, data)
    else:
        with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
            for path, data in files:
                member = tarfile.TarInfo(path)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def image(pixels):
    """A PNG of (height, width, 3) bytes. Decoders look at the content of a file, so its name may end in jpg."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(chunk, parts))


def chunk(part):
    kind, data = part
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)


def sound(samples, rate):
    """A WAV file of one channel with 16 bits; the samples are between -1 and 1."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return buffer.getvalue()
