package io.fairlead.dns.template;

import com.google.re2j.Pattern;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.wire.EdnsOption;
import java.util.List;
import java.util.stream.Stream;

/// One `template` block of the Corefile.
///
/// @param recordClass a number of `RecordClass`; ANY for all
/// @param type a number of `RecordType`; ANY for all
record Template(
    int recordClass,
    int type,
    DnsZones zones,
    List<Pattern> patterns,
    List<TextTemplate> answer,
    List<TextTemplate> additional,
    List<TextTemplate> authority,
    int rcode,
    List<EdnsOption> options,
    Fallthrough fallthrough) {
  Template {
    patterns = List.copyOf(patterns);
    answer = List.copyOf(answer);
    additional = List.copyOf(additional);
    authority = List.copyOf(authority);
    options = List.copyOf(options);
  }

  /// Whether clients can get different answers to one question.
  boolean namesTheClient() {
    return Stream.of(answer, additional, authority)
        .flatMap(List::stream)
        .anyMatch(TextTemplate::namesTheClient);
  }
}
