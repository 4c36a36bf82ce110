package io.fairlead.server.discovery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// An answer that never changes while the server runs: bytes, their media type and their hash.
///
/// The compressed form is made at the first request for it and kept. Safe for all threads; two that
/// ask first at once may both compress, to the same bytes.
public final class StaticDocument {
  private final byte[] bytes;
  private final String contentType;
  private final String hash;
  private volatile byte @Nullable [] compressed;

  public StaticDocument(byte[] bytes, String contentType) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.hash = digest(bytes);
  }

  /// The body; not to be changed.
  public byte[] bytes() {
    return bytes;
  }

  /// The body for `Content-Encoding: gzip`; not to be changed.
  public byte[] gzip() {
    byte[] made = compressed;
    if (made == null) {
      made = zipped(bytes);
      compressed = made;
    }
    return made;
  }

  public String contentType() {
    return contentType;
  }

  /// Upper-case hexadecimal digits, as they stand in `?hash=`.
  public String hash() {
    return hash;
  }

  /// The hash in quotes, as it stands in `ETag` and `If-None-Match`.
  public String etag() {
    return '"' + hash + '"';
  }

  /// Whether an `If-None-Match` header names this document: then the answer is 304.
  public boolean matches(@Nullable String ifNoneMatch) {
    if (ifNoneMatch == null) {
      return false;
    }
    for (String candidate : ifNoneMatch.split(",", -1)) {
      String tag = candidate.strip();
      if (tag.equals("*") || tag.equals(etag()) || tag.equals("W/" + etag())) {
        return true;
      }
    }
    return false;
  }

  private static byte[] zipped(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 8 + 64);
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
