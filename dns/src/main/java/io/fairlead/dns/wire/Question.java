package io.fairlead.dns.wire;

/// What is asked.
///
/// @param type one of [RecordType]
/// @param recordClass one of [RecordClass]
public record Question(Name name, int type, int recordClass) {
  public static Question of(String name, int type) {
    return new Question(Name.of(name), type, RecordClass.IN);
  }

  /// `crane.harbor.svc.cluster.local. IN A`.
  @Override
  public String toString() {
    return name + " " + RecordClass.name(recordClass) + " " + RecordType.name(type);
  }
}
