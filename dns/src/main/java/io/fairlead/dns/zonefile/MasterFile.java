package io.fairlead.dns.zonefile;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Reads master files. Known directives are `$ORIGIN`, `$TTL`, `$INCLUDE` and `$GENERATE`.
public final class MasterFile {
  /// For records without a time in a file without `$TTL`, as in CoreDNS.
  public static final int DEFAULT_TTL = 3600;

  private static final int MOST_DEPTH = 10;
  private static final int MOST_RECORDS = 5_000_000;

  /// Finds the text of an included file.
  @FunctionalInterface
  public interface Includes {
    String read(String file) throws IOException;
  }

  private final Includes includes;
  private final List<ResourceRecord> records = new ArrayList<>();
  private Name origin;
  private @Nullable Name owner;
  private int ttl = -1;

  private MasterFile(Name origin, Includes includes) {
    this.origin = origin;
    this.includes = includes;
  }

  public static List<ResourceRecord> read(String text, Name origin, Includes includes)
      throws ZoneFileException {
    MasterFile file = new MasterFile(origin, includes);
    file.read(text, 0);
    return file.records;
  }

  /// Reads a single record such as `www 60 IN A 192.0.2.1`, names relative to the root.
  public static ResourceRecord record(String text) throws ZoneFileException {
    List<ResourceRecord> records =
        read(
            text,
            Name.ROOT,
            file -> {
              throw new IOException("a record cannot include " + file);
            });
    if (records.size() != 1) {
      throw new ZoneFileException(1, "one record expected, not " + records.size());
    }
    return records.getFirst();
  }

  private void read(String text, int depth) throws ZoneFileException {
    for (MasterFileEntry entry : MasterFileEntryReader.read(text)) {
      WordCursor words = new WordCursor(entry, origin);
      String first = words.peek().text();
      if (first.startsWith("$") && !words.peek().quoted()) {
        words.next();
        directive(first, entry, words, depth);
      } else {
        record(entry, words);
      }
    }
  }

  private void directive(String name, MasterFileEntry entry, WordCursor words, int depth)
      throws ZoneFileException {
    switch (name.toUpperCase(Locale.ROOT)) {
      case "$ORIGIN" -> origin = words.name();
      case "$TTL" -> ttl = words.time();
      case "$INCLUDE" -> include(words, depth);
      case "$GENERATE" -> generate(entry, words);
      default ->
          throw words.problem(
              name + " is unknown; there are $ORIGIN, $TTL, $INCLUDE and $GENERATE");
    }
    words.end();
  }

  private void include(WordCursor words, int depth) throws ZoneFileException {
    String file = words.next();
    Name outside = origin;
    if (words.more()) {
      origin = words.name();
    }
    if (depth >= MOST_DEPTH) {
      throw words.problem("includes are nested deeper than " + MOST_DEPTH);
    }
    try {
      read(includes.read(file), depth + 1);
    } catch (IOException e) {
      throw words.problem("cannot include " + file + ": " + e.getMessage());
    }
    origin = outside;
  }

  private void generate(MasterFileEntry entry, WordCursor words) throws ZoneFileException {
    GenerateDirective range = GenerateDirective.range(words);
    List<MasterFileEntry.Word> line = words.remaining();
    for (long number = range.first(); number <= range.last(); number += range.step()) {
      List<MasterFileEntry.Word> filled = new ArrayList<>();
      for (MasterFileEntry.Word word : line) {
        filled.add(
            new MasterFileEntry.Word(
                GenerateDirective.fill(word.text(), number, words), word.quoted()));
      }
      MasterFileEntry one = new MasterFileEntry(entry.line(), false, filled);
      record(one, new WordCursor(one, origin));
    }
  }

  private void record(MasterFileEntry entry, WordCursor words) throws ZoneFileException {
    Name name = entry.blankOwner() ? owner : words.name();
    if (name == null) {
      throw words.problem("the first record has no owner");
    }
    owner = name;
    int time = -1;
    int recordClass = RecordClass.IN;
    while (true) {
      String word = words.next();
      OptionalInt type = RecordType.parse(word);
      if (type.isPresent() && !word.equalsIgnoreCase("ANY")) {
        add(words, name, recordClass, time, type.getAsInt());
        return;
      }
      OptionalInt asClass = RecordClass.parse(word);
      int seconds = Ttl.parse(word);
      if (asClass.isPresent()) {
        recordClass = asClass.getAsInt();
      } else if (seconds >= 0 && time < 0) {
        time = seconds;
      } else {
        throw words.problem("'" + word + "' is no record type");
      }
    }
  }

  private void add(WordCursor words, Name name, int recordClass, int time, int type)
      throws ZoneFileException {
    RecordData data = RecordDataReader.read(type, words);
    if (time < 0) {
      time = ttl >= 0 ? ttl : data instanceof RecordData.Soa soa ? soa.minimum() : DEFAULT_TTL;
    }
    if (records.size() >= MOST_RECORDS) {
      throw words.problem("more than " + MOST_RECORDS + " records");
    }
    records.add(new ResourceRecord(name, recordClass, time, data));
  }
}
