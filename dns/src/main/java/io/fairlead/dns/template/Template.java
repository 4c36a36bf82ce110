package io.fairlead.dns.template;

import com.google.re2j.Pattern;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.corefile.Zones;
import io.fairlead.dns.wire.EdnsOption;
import java.util.List;

/// One `template` block of the Corefile.
///
/// @param recordClass a number of `RecordClass`; ANY for all
/// @param type a number of `RecordType`; ANY for all
record Template(
    int recordClass,
    int type,
    Zones zones,
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
}
