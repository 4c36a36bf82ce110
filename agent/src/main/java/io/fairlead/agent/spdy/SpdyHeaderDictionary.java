package io.fairlead.agent.spdy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The text that SPDY/3 lets zlib know beforehand: words with their lengths, then a tail of further
/// words without. Fixed by the protocol.
final class SpdyHeaderDictionary {
  private static final List<String> WORDS =
      List.of(
          ("options head post put delete trace accept accept-charset accept-encoding"
                  + " accept-language accept-ranges age allow authorization cache-control"
                  + " connection content-base content-encoding content-language content-length"
                  + " content-location content-md5 content-range content-type date etag expect"
                  + " expires from host if-match if-modified-since if-none-match if-range"
                  + " if-unmodified-since last-modified location max-forwards pragma"
                  + " proxy-authenticate proxy-authorization range referer retry-after server te"
                  + " trailer transfer-encoding upgrade user-agent vary via warning"
                  + " www-authenticate method get status 200_OK version HTTP/1.1 url public"
                  + " set-cookie keep-alive origin")
              .split(" "));

  private static final String TAIL =
      "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
          + "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
          + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error"
          + "501 Not Implemented503 Service Unavailable"
          + "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00"
          + " Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT"
          + "chunked,text/html,image/png,image/jpg,image/gif,application/xml,"
          + "application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age="
          + "gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

  private SpdyHeaderDictionary() {}

  static byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String word : WORDS) {
      byte[] text = word.replace('_', ' ').getBytes(StandardCharsets.US_ASCII);
      out.writeBytes(ByteBuffer.allocate(4).putInt(text.length).array());
      out.writeBytes(text);
    }
    out.writeBytes(TAIL.getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }
}
