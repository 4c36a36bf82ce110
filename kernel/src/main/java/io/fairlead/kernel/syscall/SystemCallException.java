package io.fairlead.kernel.syscall;

/// The kernel refused a call. The message names the object it was about, the call and the errno:
/// `/run/netns/blue: setns: EPERM (run as root or with CAP_NET_ADMIN)`.
public class SystemCallException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String object;
  private final String call;
  private final transient Errno errno;

  public SystemCallException(String object, String call, Errno errno) {
    this(object, call, errno, "");
  }

  /// @param detail what the kernel said beyond the number, empty when nothing
  public SystemCallException(String object, String call, Errno errno, String detail) {
    super(object + ": " + call + ": " + errno.name() + explained(errno, detail));
    this.object = object;
    this.call = call;
    this.errno = errno;
  }

  /// What the call was about.
  public String object() {
    return object;
  }

  /// The name of the refused call.
  public String call() {
    return call;
  }

  public Errno errno() {
    return errno;
  }

  /// Whether the object, or something it needs, does not exist.
  public boolean isNotFound() {
    return errno.equals(Errno.ENOENT)
        || errno.equals(Errno.ESRCH)
        || errno.equals(Errno.ENODEV)
        || errno.equals(Errno.ENXIO)
        || errno.equals(Errno.EADDRNOTAVAIL);
  }

  /// Whether the object is there already.
  public boolean alreadyExists() {
    return errno.equals(Errno.EEXIST);
  }

  /// Whether the caller lacks the right, not the kernel the feature.
  public boolean isNotPermitted() {
    return errno.equals(Errno.EPERM) || errno.equals(Errno.EACCES);
  }

  private static String explained(Errno errno, String detail) {
    if (!detail.isEmpty()) {
      return " (" + detail + ")";
    }
    return errno.equals(Errno.EPERM) ? " (run as root or with CAP_NET_ADMIN)" : "";
  }
}
