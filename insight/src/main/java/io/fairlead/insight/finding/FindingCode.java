package io.fairlead.insight.finding;

import java.util.Locale;
import java.util.Optional;

/// What can be found about a Service, by number. Each has a sentence, a next step and a help page
/// in both languages: see [SentenceCatalog]. 10x is the Service and its selector, 11x a pod, 12x a
/// port, 13x slices, 14x rules and nodes, 15x names, 16x policies, 17x environment, 18x balance and
/// loss, 19x evidence and the machine.
public enum FindingCode {
  FL100(Severity.FAULT, Scope.WHOLE),
  FL101(Severity.FAULT, Scope.WHOLE),
  FL102(Severity.FAULT, Scope.WHOLE),
  FL103(Severity.NOTE, Scope.WHOLE),
  FL104(Severity.FAULT, Scope.WHOLE),
  FL105(Severity.FAULT, Scope.WHOLE),
  FL106(Severity.FAULT, Scope.WHOLE),
  FL107(Severity.WARNING, Scope.WHOLE),
  FL108(Severity.WARNING, Scope.WHOLE),
  FL109(Severity.NOTE, Scope.WHOLE),
  FL110(Severity.FAULT, Scope.ENDPOINT),
  FL111(Severity.FAULT, Scope.ENDPOINT),
  FL112(Severity.FAULT, Scope.ENDPOINT),
  FL113(Severity.WARNING, Scope.ENDPOINT),
  FL114(Severity.FAULT, Scope.ENDPOINT),
  FL115(Severity.FAULT, Scope.ENDPOINT),
  FL116(Severity.FAULT, Scope.ENDPOINT),
  FL117(Severity.FAULT, Scope.ENDPOINT),
  FL118(Severity.FAULT, Scope.ENDPOINT),
  FL119(Severity.FAULT, Scope.ENDPOINT),
  FL120(Severity.FAULT, Scope.ENDPOINT),
  FL121(Severity.FAULT, Scope.ENDPOINT),
  FL122(Severity.NOTE, Scope.WHOLE),
  FL123(Severity.FAULT, Scope.ENDPOINT),
  FL124(Severity.FAULT, Scope.ENDPOINT),
  FL125(Severity.FAULT, Scope.WHOLE),
  FL126(Severity.WARNING, Scope.WHOLE),
  FL127(Severity.FAULT, Scope.ENDPOINT),
  FL128(Severity.FAULT, Scope.ENDPOINT),
  FL129(Severity.NOTE, Scope.WHOLE),
  FL130(Severity.FAULT, Scope.ENDPOINT),
  FL131(Severity.WARNING, Scope.WHOLE),
  FL132(Severity.NOTE, Scope.WHOLE),
  FL133(Severity.FAULT, Scope.ENDPOINT),
  FL134(Severity.FAULT, Scope.WHOLE),
  FL135(Severity.WARNING, Scope.WHOLE),
  FL136(Severity.FAULT, Scope.ENDPOINT),
  FL137(Severity.FAULT, Scope.ENDPOINT),
  FL140(Severity.FAULT, Scope.NODE),
  FL141(Severity.WARNING, Scope.WHOLE),
  FL142(Severity.WARNING, Scope.WHOLE),
  FL143(Severity.FAULT, Scope.NODE),
  FL144(Severity.FAULT, Scope.WHOLE),
  FL145(Severity.WARNING, Scope.WHOLE),
  FL146(Severity.FAULT, Scope.WHOLE),
  FL147(Severity.FAULT, Scope.WHOLE),
  FL148(Severity.WARNING, Scope.WHOLE),
  FL149(Severity.FAULT, Scope.WHOLE),
  FL150(Severity.FAULT, Scope.WHOLE),
  FL151(Severity.WARNING, Scope.WHOLE),
  FL152(Severity.FAULT, Scope.WHOLE),
  FL153(Severity.NOTE, Scope.WHOLE),
  FL154(Severity.FAULT, Scope.WHOLE),
  FL155(Severity.NOTE, Scope.WHOLE),
  FL156(Severity.FAULT, Scope.WHOLE),
  FL157(Severity.FAULT, Scope.NODE),
  FL158(Severity.FAULT, Scope.WHOLE),
  FL159(Severity.FAULT, Scope.WHOLE),
  FL160(Severity.FAULT, Scope.WHOLE),
  FL161(Severity.FAULT, Scope.WHOLE),
  FL162(Severity.NOTE, Scope.WHOLE),
  FL163(Severity.WARNING, Scope.WHOLE),
  FL166(Severity.WARNING, Scope.WHOLE),
  FL167(Severity.WARNING, Scope.WHOLE),
  FL169(Severity.FAULT, Scope.WHOLE),
  FL170(Severity.NOTE, Scope.WHOLE),
  FL171(Severity.WARNING, Scope.WHOLE),
  FL172(Severity.NOTE, Scope.WHOLE),
  FL173(Severity.WARNING, Scope.WHOLE),
  FL174(Severity.WARNING, Scope.WHOLE),
  FL180(Severity.NOTE, Scope.WHOLE),
  FL181(Severity.NOTE, Scope.WHOLE),
  FL182(Severity.NOTE, Scope.WHOLE),
  FL183(Severity.WARNING, Scope.WHOLE),
  FL184(Severity.NOTE, Scope.WHOLE),
  FL185(Severity.FAULT, Scope.WHOLE),
  FL186(Severity.FAULT, Scope.WHOLE),
  FL187(Severity.FAULT, Scope.WHOLE),
  FL188(Severity.FAULT, Scope.WHOLE),
  FL189(Severity.WARNING, Scope.WHOLE),
  FL190(Severity.WARNING, Scope.WHOLE),
  FL191(Severity.FAULT, Scope.WHOLE),
  FL192(Severity.FAULT, Scope.WHOLE),
  FL193(Severity.NOTE, Scope.WHOLE),
  FL194(Severity.WARNING, Scope.WHOLE),
  FL195(Severity.FAULT, Scope.WHOLE),
  FL196(Severity.WARNING, Scope.WHOLE),
  FL197(Severity.WARNING, Scope.WHOLE),
  FL198(Severity.FAULT, Scope.WHOLE),
  FL199(Severity.WARNING, Scope.WHOLE);

  /// What a finding speaks about.
  public enum Scope {
    /// The Service as a whole: its severity is what the code says.
    WHOLE,
    /// One pod, port or slice: a fault only if a port of the Service is left without a usable
    /// endpoint; a warning otherwise.
    ENDPOINT,
    /// One node or server: a fault only for traffic that depends on it.
    NODE
  }

  private final Severity severity;
  private final Scope scope;

  FindingCode(Severity severity, Scope scope) {
    this.severity = severity;
    this.scope = scope;
  }

  /// How grave it is where no context makes it less so.
  public Severity severity() {
    return severity;
  }

  public Scope scope() {
    return scope;
  }

  /// The code a user means by `FL110` or `fl110`.
  public static Optional<FindingCode> parse(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    for (FindingCode code : values()) {
      if (code.name().equals(name)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
