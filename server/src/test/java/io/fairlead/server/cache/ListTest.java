package io.fairlead.server.cache;

import static io.fairlead.server.cache.CacheFixture.names;
import static io.fairlead.server.cache.CacheFixture.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.store.Write;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ListTest {
  private final CacheFixture fixture = new CacheFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "everything in key order | '' | '' | '' | a b c d",
        "one namespace           | one | '' | '' | a b",
        "by label                | '' | app=web | '' | a c",
        "by absent label         | '' | '!app' | '' | ''",
        "by field                | '' | '' | spec.color=red | a d",
        "by field not equal      | '' | '' | spec.color!=red | b c",
        "by name                 | '' | '' | metadata.name=c | c",
        "label and field         | '' | app=web | spec.color=red | a",
      })
  void selects(String row, String namespace, String labels, String fields, String expected) {
    fill();
    ListQuery query = ListQuery.of(where(namespace, labels, fields));
    assertThat(String.join(" ", names(fixture.things().list(query)))).as(row).isEqualTo(expected);
  }

  @Test
  void pagesShareTheRevisionOfTheFirstThoughObjectsChange() {
    fill();
    ListPage first = page("", 2);
    fixture.delete("two", "c");
    fixture.put("two", "e", "x", "red");
    ListPage second = page(first.continueToken(), 2);
    assertThat(names(first)).containsExactly("a", "b");
    assertThat(first.remaining()).isEqualTo(2);
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.revision()).isEqualTo(first.revision());
    assertThat(second.continueToken()).isEmpty();
    assertThat(second.remaining()).isNull();
  }

  @Test
  void pageAfterCompactionSaysExpiredAndOffersATokenThatGoesOn() {
    fill();
    ListPage first = page("", 2);
    fixture.store.compact(fixture.delete("two", "c"));
    // As long as the cache still shows the first page's moment, it needs no history.
    fixture.caches.awaitFresh();
    ApiException expired =
        Objects.requireNonNull(
            catchThrowableOfType(ApiException.class, () -> page(first.continueToken(), 2)));
    assertThat(expired.status().code()).isEqualTo(410);
    String goOn = Objects.requireNonNull(expired.status().continueToken());
    assertThat(names(page(goOn, 2))).containsExactly("d");
  }

  @Test
  void pageExpiresWithItsRevisionThoughNothingOfItsKindHasChanged() {
    fill();
    ListPage first = page("", 2);
    long later = fixture.commit(new Write.Put("/registry/others/a", new byte[] {1}, Write.ANY));
    fixture.caches.awaitFresh();
    assertThat(names(page(first.continueToken(), 2))).containsExactly("c", "d");
    fixture.store.compact(later);
    ApiException expired =
        Objects.requireNonNull(
            catchThrowableOfType(ApiException.class, () -> page(first.continueToken(), 2)));
    assertThat(expired.status().code()).isEqualTo(410);
  }

  @Test
  void remainingIsUnknownWithASelectorAndPagesStillWork() {
    fill();
    fixture.put("two", "e", "web", "blue");
    SelectionPredicate web = where("", "app=web", "");
    ListPage first = fixture.things().list(new ListQuery(web, "", "", 1, ""));
    fixture.put("two", "f", "web", "blue");
    ListPage second = fixture.things().list(new ListQuery(web, "", "", 1, first.continueToken()));
    ListPage third = fixture.things().list(new ListQuery(web, "", "", 5, second.continueToken()));
    assertThat(first.remaining()).isNull();
    assertThat(names(second)).containsExactly("c");
    assertThat(names(third)).containsExactly("e");
  }

  @Test
  void exactRevisionShowsThePast() {
    fill();
    long before = fixture.store.revision();
    fixture.delete("one", "a");
    fixture.caches.awaitFresh();
    SelectionPredicate all = where("", "", "");
    ListQuery then = new ListQuery(all, Long.toString(before), "Exact", 0, "");
    assertThat(names(fixture.things().list(then))).containsExactly("a", "b", "c", "d");
    assertThat(fixture.things().list(then).revision()).isEqualTo(before);
    fixture.store.compact(fixture.store.revision());
    assertFails(then, 410, "The resourceVersion for the provided list is too old.");
  }

  @Test
  void revisionZeroIgnoresTheLimit() {
    fill();
    fixture.caches.awaitFresh();
    ListQuery any = new ListQuery(where("", "", ""), "0", "", 1, "");
    assertThat(names(fixture.things().list(any))).hasSize(4);
  }

  @Test
  void futureRevisionEndsInATimeout() {
    fill();
    long future = fixture.store.revision() + 1000;
    ListQuery query =
        new ListQuery(where("", "", ""), Long.toString(future), "NotOlderThan", 0, "");
    ApiException late =
        Objects.requireNonNull(
            catchThrowableOfType(ApiException.class, () -> fixture.things().list(query)));
    assertThat(late.status().code()).isEqualTo(504);
    assertThat(late.status().toJson().toString())
        .contains("Too large resource version: " + future + ", current: ")
        .contains("ResourceVersionTooLarge")
        .contains("\"retryAfterSeconds\":1");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "match without version     | '' | Exact | '' | 422 | forbidden unless resourceVersion",
        "match with continue       | '' | Exact | x  | 422 | forbidden when continue",
        "exact zero                | 0  | Exact | '' | 422 | forbidden for resourceVersion \"0\"",
        "unknown match             | 5  | Maybe | '' | 422 | Unsupported value: \"Maybe\"",
        "version is no number      | x  | ''    | '' | 400 | invalid resource version",
        "version is negative       | -4 | ''    | '' | 400 | invalid resource version",
        "version with continue     | 5  | ''    | x  | 400 | invalid continue token",
        "continue is no base64     | '' | ''    | %%  | 400 | invalid continue token",
        "continue is foreign       | '' | ''    | e30 | 400 | invalid continue token",
      })
  void refuses(String row, String version, String match, String token, int code, String text) {
    ListQuery query = new ListQuery(where("", "", ""), version, match, 0, token);
    assertFails(query, code, text);
    assertThat(row).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "with \"quotes\" and ü"})
  void bytesCarryTheRevisionAndItemsLackTheKind(String color) throws IOException {
    long revision = fixture.put("one", "a", "web", color);
    fixture.caches.awaitRevision(revision, Caches.FRESHNESS);
    CachedObject object = Objects.requireNonNull(fixture.things().get("one", "a"));
    ByteArrayOutputStream item = new ByteArrayOutputStream();
    object.writeItem(item);
    assertThat(Json.parse(object.json()).path("metadata").path("resourceVersion").asString())
        .isEqualTo(Long.toString(revision));
    assertThat(item.toString(UTF_8)).startsWith("{\"metadata\":{\"resourceVersion\":\"");
    assertThat(Json.parse(item.toByteArray()).path("spec").path("color").asString())
        .isEqualTo(color);
  }

  private void fill() {
    fixture.put("one", "a", "web", "red");
    fixture.put("one", "b", "db", "blue");
    fixture.put("two", "c", "web", "blue");
    fixture.put("two", "d", "db", "red");
  }

  private ListPage page(String token, int limit) {
    return fixture.things().list(new ListQuery(where("", "", ""), "", "", limit, token));
  }

  private void assertFails(ListQuery query, int code, String text) {
    ApiException failure =
        Objects.requireNonNull(
            catchThrowableOfType(ApiException.class, () -> fixture.things().list(query)));
    assertThat(failure.status().code()).isEqualTo(code);
    assertThat(failure.status().message()).contains(text);
  }
}
