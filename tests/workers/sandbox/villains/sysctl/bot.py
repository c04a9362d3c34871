"""Turns the kernel's knobs."""

from pathlib import Path

from cast import attempt

for name in (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/kernel/randomize_va_space",
    "/proc/sysrq-trigger",
    "/proc/self/uid_map",
    "/proc/self/setgroups",
):
    attempt(name, lambda name=name: Path(name).write_text("0"))
attempt("less likely to be killed", lambda: Path("/proc/self/oom_score_adj").write_text("-1000"))
attempt("cgroup", lambda: Path("/sys/fs/cgroup").iterdir().__next__())
