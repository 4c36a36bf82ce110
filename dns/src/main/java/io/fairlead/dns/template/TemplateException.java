package io.fairlead.dns.template;

/// A template that cannot be read, or not be filled in.
final class TemplateException extends Exception {
  TemplateException(String problem) {
    super(problem);
  }
}
