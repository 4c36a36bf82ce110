package io.fairlead.kernel.syscall;

import java.util.List;

/// Why the kernel refused a call: the number it gave and the name people search for.
///
/// @param number the positive number of `errno.h`
public record Errno(int number) {
  public static final Errno NONE = new Errno(0);
  public static final Errno EPERM = new Errno(1);
  public static final Errno ENOENT = new Errno(2);
  public static final Errno ESRCH = new Errno(3);
  public static final Errno EINTR = new Errno(4);
  public static final Errno ENXIO = new Errno(6);
  public static final Errno EAGAIN = new Errno(11);
  public static final Errno ENOMEM = new Errno(12);
  public static final Errno EACCES = new Errno(13);
  public static final Errno EBUSY = new Errno(16);
  public static final Errno EEXIST = new Errno(17);
  public static final Errno EXDEV = new Errno(18);
  public static final Errno ENODEV = new Errno(19);
  public static final Errno EINVAL = new Errno(22);
  public static final Errno ENOSPC = new Errno(28);
  public static final Errno ERANGE = new Errno(34);
  public static final Errno ELOOP = new Errno(40);
  public static final Errno EMSGSIZE = new Errno(90);
  public static final Errno EOPNOTSUPP = new Errno(95);
  public static final Errno EADDRNOTAVAIL = new Errno(99);
  public static final Errno ENOBUFS = new Errno(105);

  // asm-generic/errno-base.h and errno.h; the position is the number. Architectures that number
  // them otherwise (alpha, mips, parisc, sparc) have no JDK 25 of their own.
  private static final List<String> NAMES =
      List.of(
          ("0 EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES"
                  + " EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE"
                  + " ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK"
                  + " ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP 41 ENOMSG EIDRM ECHRNG EL2NSYNC"
                  + " EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC"
                  + " EBADSLT 58 EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK"
                  + " EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD"
                  + " EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE"
                  + " EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT"
                  + " ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE"
                  + " EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS"
                  + " EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN"
                  + " EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM"
                  + " EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED"
                  + " EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON")
              .split(" "));

  /// The name in `errno.h`; `errno 999` for a number that has none.
  public String name() {
    if (number > 0 && number < NAMES.size() && NAMES.get(number).startsWith("E")) {
      return NAMES.get(number);
    }
    return "errno " + number;
  }

  @Override
  public String toString() {
    return name();
  }
}
