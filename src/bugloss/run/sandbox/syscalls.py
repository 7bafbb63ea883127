"""Numbers of the system calls that the filter names, by processor; a test compares them with the kernel's headers."""

from __future__ import annotations

from dataclasses import dataclass

# Calls newer than this one are answered as an older kernel would: what they allow is not reviewed.
LAST_KNOWN = 466


@dataclass(frozen=True, slots=True)
class Processor:
    """What seccomp needs to know of a processor: the kernel's name for it and its own numbers of calls."""

    audit: int
    numbers: dict[str, int]
    foreign: int | None = None  # numbers from here on belong to another calling convention (x32)


# Since Linux 5.1 new calls have the same number everywhere.
_SHARED = {
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
}

# name: (x86_64, aarch64); None where the processor never had the call.
_OWN: dict[str, tuple[int, int | None]] = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "setns": (308, 268),
    "unshare": (272, 97),
    "clone": (56, 220),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "query_module": (178, None),
    "get_kernel_syms": (177, None),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "syslog": (103, 116),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "fanotify_init": (300, 262),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "personality": (135, 92),
    "seccomp": (317, 277),
}


def _numbers(column: int) -> dict[str, int]:
    own = {name: numbers[column] for name, numbers in _OWN.items()}
    return _SHARED | {name: number for name, number in own.items() if number is not None}


PROCESSORS = {
    "x86_64": Processor(0xC000003E, _numbers(0), foreign=0x40000000),
    "aarch64": Processor(0xC00000B7, _numbers(1)),
}
