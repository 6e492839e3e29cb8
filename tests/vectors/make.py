"""Makes the vectors. Run by the commands of README.md."""
import ctypes, sys, os
OUT = sys.argv[2]
PHRASES = [b"the quick brown fox ", b"jumps over ", b"\x00" * 24, b"Microsoft-Windows-Kernel-Process\x00",
           b"A\x00B\x00C\x00D\x00E\x00", b"\xc0\x13\x02\x00", b"1234567890", b"zz"]
def sample(n, seed, rarity=64):
    """The same bytes as `sample` in tests/vectors.rs."""
    out, x = bytearray(), seed
    while len(out) < n:
        x = (x * 1103515245 + 12345) & 0xFFFFFFFF
        k = x >> 16
        if k % rarity == 0:
            for _ in range(16):
                x = (x * 1103515245 + 12345) & 0xFFFFFFFF
                out.append(x >> 24)
        elif k % 16 == 1:
            out += bytes([k >> 8]) * (k % 3000)
        elif k % 16 == 2 and out:
            d = min(len(out), 1 + k * 7 % 60000)
            s = out[len(out) - d:]
            out += s[: min(k, 700)]
        else:
            out += PHRASES[(k >> 4) % 8]
    return bytes(out[:n])
def save(name, data):
    open(os.path.join(OUT, name), "wb").write(data)
    print(name, len(data))
def samba():
    from samba import compression as c
    for n, s in [(1, 1), (300, 2), (5000, 3), (100000, 4)]:
        save(f"xpress-samba-{n}-{s}-64.bin", c.plain_compress(sample(n, s)))
    save("xpress-samba-zeros-200000.bin", c.plain_compress(bytes(200000)))
    for n, s in [(1, 1), (300, 2), (65536, 5), (131072, 6), (150000, 7)]:
        save(f"huffman-samba-{n}-{s}-64.bin", c.huffman_compress(sample(n, s)))
    save("xpress-samba-1000-9-1.bin", c.plain_compress(sample(1000, 9, 1)))
    save("huffman-samba-1000-9-1.bin", c.huffman_compress(sample(1000, 9, 1)))
    save("huffman-samba-9000-8-2.bin", c.huffman_compress(sample(9000, 8, 2)))
    save("huffman-samba-zeros-200000.bin", c.huffman_compress(bytes(200000)))
def wimlib():
    w = ctypes.CDLL("libwim.so.15")
    w.wimlib_compress.restype = ctypes.c_size_t
    w.wimlib_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
    for n, s, level in [(300, 2, 50), (5000, 3, 20), (65536, 5, 100)]:
        c = ctypes.c_void_p()
        assert w.wimlib_create_compressor(1, ctypes.c_size_t(65536), level, ctypes.byref(c)) == 0
        buf = ctypes.create_string_buffer(n)
        got = w.wimlib_compress(sample(n, s), n, buf, n - 1, c)
        assert got
        save(f"huffman-wimlib-{n}-{s}-64.bin", buf.raw[:got])
def lznt1():
    import lznt1 as l
    for n, s, r in [(1, 1, 64), (300, 2, 64), (20000, 3, 64), (12288, 8, 2), (5000, 9, 1)]:
        data = sample(n, s, r)
        save(f"lznt1-pypi-{n}-{s}-{r}.bin", l.compress(data))
globals()[sys.argv[1]]()
