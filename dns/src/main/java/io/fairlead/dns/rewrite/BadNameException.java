package io.fairlead.dns.rewrite;

/// A rule made something that is no domain name. Carries no stack trace: any client can cause it.
final class BadNameException extends RuntimeException {
  BadNameException(String problem) {
    super(problem, null, false, false);
  }
}
