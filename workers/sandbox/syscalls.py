"""The system calls that the filter knows, with their numbers: `name:x86_64:aarch64` ("-" for none).

All others are answered with ENOSYS, as an older kernel would. A test compares the numbers with the kernel's
own headers.
"""

from __future__ import annotations

ALLOWED = """
read:0:63 write:1:64 readv:19:65 writev:20:66 pread64:17:67 pwrite64:18:68 preadv:295:69 pwritev:296:70
pwritev2:328:287 open:2:- openat:257:56 openat2:437:437 creat:85:- close:3:57
close_range:436:436 stat:4:- fstat:5:80 lstat:6:- newfstatat:262:79 statx:332:291 statfs:137:43
fstatfs:138:44 access:21:- faccessat:269:48 faccessat2:439:439 lseek:8:62 rename:82:- renameat:264:38
renameat2:316:276 mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:- unlinkat:263:35 link:86:-
linkat:265:37 symlink:88:- symlinkat:266:36 readlink:89:- readlinkat:267:78 chmod:90:- fchmod:91:52
fchmodat:268:53 umask:95:166 truncate:76:45 ftruncate:77:46 fallocate:285:47
readahead:187:213 fsync:74:82 fdatasync:75:83 sendfile:40:71 splice:275:76 tee:276:77 vmsplice:278:75
copy_file_range:326:285 getdents:78:- getdents64:217:61
getcwd:79:17 chdir:80:49 fchdir:81:50 dup:32:23 dup2:33:- dup3:292:24 pipe:22:-
pipe2:293:59 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10 listxattr:194:11 llistxattr:195:12
flistxattr:196:13
poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20
epoll_ctl:233:21 epoll_ctl_old:214:- epoll_wait:232:- epoll_wait_old:215:- epoll_pwait:281:22
epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 timerfd_create:283:85 timerfd_settime:286:86
timerfd_gettime:287:87 signalfd:282:- signalfd4:289:74 pause:34:- nanosleep:35:101
clock_nanosleep:230:115 restart_syscall:219:128
mprotect:10:226 munmap:11:215 mremap:25:216 msync:26:227
brk:12:214 mlock:149:228 mlock2:325:284 mlockall:151:230 munlock:150:229 munlockall:152:231
membarrier:324:283 pkey_alloc:330:289 pkey_free:331:290 pkey_mprotect:329:288
futex:202:98 futex_waitv:449:449 set_robust_list:273:99 get_robust_list:274:100 set_tid_address:218:96
rseq:334:293 arch_prctl:158:- sched_yield:24:124 sched_getaffinity:204:123 sched_getparam:143:121
sched_getscheduler:145:120 sched_get_priority_max:146:125 sched_get_priority_min:147:126
sched_rr_get_interval:148:127 getcpu:309:168
fork:57:- vfork:58:- execve:59:221 execveat:322:281 exit:60:93 exit_group:231:94 wait4:61:260
waitid:247:95 kill:62:129 tkill:200:130 tgkill:234:131 rt_sigaction:13:134 rt_sigprocmask:14:135
rt_sigpending:127:136 rt_sigreturn:15:139 rt_sigsuspend:130:133 rt_sigtimedwait:128:137
rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 sigaltstack:131:132 getpid:39:172 getppid:110:173
gettid:186:178 getpgid:121:155 getpgrp:111:- setpgid:109:154 getsid:124:156 setsid:112:157
getpriority:140:141 pidfd_open:434:434 pidfd_send_signal:424:424
getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148 getresgid:120:150
getgroups:115:158 capget:125:90 uname:63:160 sysinfo:99:179 getrlimit:97:163 setrlimit:160:164
prlimit64:302:261 getrusage:98:165 times:100:153
time:201:- gettimeofday:96:169 clock_gettime:228:113 clock_getres:229:114 getitimer:36:102
setitimer:38:103 alarm:37:- timer_create:222:107 timer_settime:223:110 timer_gettime:224:108
timer_getoverrun:225:109 timer_delete:226:111
connect:42:203 bind:49:200 listen:50:201 accept:43:202 accept4:288:242 getsockname:51:204
getpeername:52:205 setsockopt:54:208 getsockopt:55:209 sendto:44:206 recvfrom:45:207 sendmsg:46:211
recvmsg:47:212 sendmmsg:307:269 recvmmsg:299:243 shutdown:48:210
getrandom:318:278
"""

# Allowed, refused or answered by their arguments; see seccomp.py.
BY_ARGUMENT = """
clone:56:220 clone3:435:435 socket:41:198 socketpair:53:199 ioctl:16:29 fcntl:72:25 personality:135:92
madvise:28:233 memfd_create:319:279 mmap:9:222 preadv2:327:286 prctl:157:167 flock:73:32
utime:132:- utimes:235:- utimensat:280:88 futimesat:261:-
"""

# Refused with EPERM: ways to other namespaces, mounts, processes, keys, devices and clocks; to the kernel's
# newest and most often broken parts; and to neighbours, through what read-only files share (inotify,
# System V, what of a file is in memory).
REFUSED = """
mount:165:40 umount2:166:39 pivot_root:155:41 chroot:161:51 fsopen:430:430 fsconfig:431:431
fsmount:432:432 fspick:433:433 open_tree:428:428 move_mount:429:429 mount_setattr:442:442 unshare:272:97
setns:308:268 ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 process_madvise:440:440
kcmp:312:272 pidfd_getfd:438:438 bpf:321:280 perf_event_open:298:241 userfaultfd:323:282
io_uring_setup:425:425 io_uring_enter:426:426 io_uring_register:427:427 keyctl:250:219 add_key:248:217
request_key:249:218 init_module:175:105 finit_module:313:273 delete_module:176:106 create_module:174:-
kexec_load:246:104 kexec_file_load:320:294 reboot:169:142 swapon:167:224 swapoff:168:225 acct:163:89
quotactl:179:60 quotactl_fd:443:443 syslog:103:116 settimeofday:164:170 clock_settime:227:112
adjtimex:159:171 clock_adjtime:305:266 sethostname:170:161 setdomainname:171:162 vhangup:153:58
iopl:172:- ioperm:173:- modify_ldt:154:- open_by_handle_at:304:265 name_to_handle_at:303:264
lookup_dcookie:212:18 fanotify_init:300:262 fanotify_mark:301:263 inotify_init:253:-
inotify_init1:294:26 inotify_add_watch:254:27 inotify_rm_watch:255:28 shmget:29:194 shmat:30:196
shmctl:31:195 shmdt:67:197 semget:64:190 semop:65:193 semctl:66:191 semtimedop:220:192 msgget:68:186
msgsnd:69:189 msgrcv:70:188 msgctl:71:187 mq_open:240:180 mq_unlink:241:181 mq_timedsend:242:182
mq_timedreceive:243:183 mq_notify:244:184 mq_getsetattr:245:185 setuid:105:146 setgid:106:144
setreuid:113:145 setregid:114:143 setresuid:117:147 setresgid:119:149 setfsuid:122:151 setfsgid:123:152
setgroups:116:159 capset:126:91 chown:92:- fchown:93:55 lchown:94:- fchownat:260:54 mknod:133:-
mknodat:259:33 setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 removexattr:197:14 lremovexattr:198:15
fremovexattr:199:16 sched_setaffinity:203:122 sched_setscheduler:144:119 sched_setparam:142:118
sched_setattr:314:274 setpriority:141:140 ioprio_set:251:30 migrate_pages:256:238 move_pages:279:239
fadvise64:221:223 mincore:27:232 sync:162:81 syncfs:306:267 memfd_secret:447:447 seccomp:317:277
landlock_create_ruleset:444:444
"""


def numbers(table: str, machine: str) -> dict[str, int]:
    """Return the calls of a table that exist on a machine ("x86_64" or "aarch64"), by name."""
    column = {"x86_64": 1, "aarch64": 2}[machine]
    rows = (entry.split(":") for entry in table.split())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
