"""The program of an attack that tries forbidden system calls one after the other, and says what came of each."""

PROGRAM = """
import ctypes, errno, json, os, pty, signal, socket, struct, sys, time

given = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
arm = os.uname().machine == "aarch64"
number = lambda x86, generic: generic if arm else x86
said = {}

def call(name, *arguments):
    ctypes.set_errno(0)
    # The C library reads all six arguments off the stack, and numbers must be as wide as registers.
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = libc.syscall(*wide)
    said[name] = "allowed" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")
    return result

content = ctypes.create_string_buffer(100)
if given["key"]:
    call("keyctl read", number(250, 219), 11, given["key"], content, 100)
    call("keyctl update", number(250, 219), 2, given["key"], b"overwritten", 11)
    call("request_key", number(249, 218), b"user", b"bugloss-canary", None, 0)
call("keyctl session", number(250, 219), 0, -3, 0)
call("add_key", number(248, 217), b"user", b"mine", b"x", 1, -3)

for family, kind, protocol in ((40, 1, 0), (38, 5, 0), (17, 3, 0), (31, 3, 0), (16, 3, 15)):
    call("socket %d %d" % (family, protocol), number(41, 198), family, kind, protocol)
route = socket.socket(16, socket.SOCK_RAW, 0)
socket.socketpair()

call("io_uring_setup", 425, 1, ctypes.create_string_buffer(256))
call("bpf", number(321, 280), 0, ctypes.create_string_buffer(128), 128)
call("perf_event_open", number(298, 241), ctypes.create_string_buffer(struct.pack("II", 1, 128), 128), 0, -1, -1, 0)
call("userfaultfd", number(323, 282), 1)
call("memfd_create", number(319, 279), b"x", 0)
call("shmget", number(29, 194), 0, 4096, 0o1600)
call("msgget", number(68, 186), 0, 0o1600)
call("personality", number(135, 92), 0x0040000)
call("open_by_handle_at", number(304, 265), -100, content, 0)
call("future call", 500)
if not arm:
    call("x32 getpid", 0x40000000 + 39)

sibling = os.fork()
if sibling == 0:
    time.sleep(30)
    os._exit(0)
call("ptrace", number(101, 117), 16, sibling, 0, 0)
call("process_vm_readv", number(310, 270), sibling, content, 0, content, 0, 0)
os.kill(sibling, signal.SIGKILL)
os.waitpid(sibling, 0)

for name, flags in (("user", 0x10000000), ("mount", 0x20000), ("net", 0x40000000), ("time", 0x80)):
    call("unshare " + name, number(272, 97), flags)
clone = call("clone user", number(56, 220), 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
if clone == 0:
    os._exit(0)
clone = call("clone3", 435, content, 64)
call("setns", number(308, 268), os.open("/proc/self/ns/net", os.O_RDONLY), 0)
place = os.environ["HOME"].encode()
call("mount", number(165, 40), b"none", place, b"tmpfs", 0, None)
call("fsopen", 430, b"tmpfs", 0)
call("chroot", number(161, 51), place)

try:
    master, terminal = pty.openpty()
    call("TIOCSTI", number(16, 29), terminal, 0x5412, b"x")
    call("TIOCSTI, upper half set", number(16, 29), terminal, 0x5412 | 1 << 40, b"x")
except OSError:
    said["TIOCSTI"] = said["TIOCSTI, upper half set"] = "no terminal"

def attempt(name, deed):
    try:
        deed()
        said[name] = "allowed"
    except OSError as error:
        said[name] = errno.errorcode[error.errno]

def reach():
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect("\\0bugloss-canary-%d" % given["listener"])

attempt("abstract socket", reach)
attempt("proc/sys", lambda: os.close(os.open("/proc/sys/kernel/hostname", os.O_WRONLY)))
attempt("shadow", lambda: open("/etc/shadow").close())
attempt("private key", lambda: open(given["home"] + "/.ssh/id_ed25519").close())
attempt("caller in proc", lambda: os.listdir("/proc/%d" % given["listener"]))
for folder in ("/", "/dev", "/etc", "/proc"):  # no name is left behind: the file has none
    attempt("write " + folder, lambda: os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY)))
print(json.dumps(said))
"""
