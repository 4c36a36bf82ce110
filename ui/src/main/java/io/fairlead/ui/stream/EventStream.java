package io.fairlead.ui.stream;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.ui.UiUser;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One answer of server-sent events: some topics, from where the browser left off, until it goes.
///
/// Runs on the virtual thread of its request. It sends what came meanwhile, each topic's changes as
/// one event: four times a second in the long run, and after a quiet time four times at once, so
/// that a change and what follows from it do not wait for each other. Only the last event of such a
/// batch bears a number, so that a connection that is cut within it is taken up before it; setting
/// a field twice does no harm.
public final class EventStream {
  /// Between two batches in the long run.
  private static final Duration PACE = Duration.ofMillis(250);

  /// How many batches may go at once after a quiet time.
  private static final int BURST = 4;

  /// A browser shows a page no comments, so this is an event: without it the page could not tell a
  /// quiet host from one that hangs.
  private static final byte[] ALIVE = "event: ping\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8);

  private static final Duration PING = Duration.ofSeconds(10);
  private static final Duration GIVEN_UP = Duration.ofSeconds(120);

  private final TopicHub hub;
  private final Pacer pacer;
  private final Ticker ticker;

  public EventStream(TopicHub hub, Pacer pacer, Ticker ticker) {
    this.hub = hub;
    this.pacer = pacer;
    this.ticker = ticker;
  }

  /// @param sources by name of the topic, in the order they are sent
  /// @param lastEvent what the browser has seen last; null for nothing
  /// @param lives whether the session still does
  public void serve(
      HttpServerExchange exchange,
      UiUser user,
      Map<String, Supplier<TopicSource>> sources,
      @Nullable String lastEvent,
      BooleanSupplier lives)
      throws IOException {
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", "text/event-stream; charset=utf-8");
    exchange.setHeader("Cache-Control", "no-store");
    exchange.mayBeSilent();
    List<Topic> topics = new ArrayList<>();
    try {
      sources.forEach((name, source) -> topics.add(hub.hold(user, name, source)));
      Sending sending = new Sending(since(lastEvent));
      try (OutputStream out = exchange.output(sending::isOverdue)) {
        sending.run(out, topics, lives);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      topics.forEach(topic -> hub.release(user, topic));
    }
  }

  /// The number in `EPOCH-NUMBER`; negative when it is another process's, or none.
  private long since(@Nullable String lastEvent) {
    String front = hub.epoch() + "-";
    if (lastEvent == null || !lastEvent.startsWith(front)) {
      return -1;
    }
    String digits = lastEvent.substring(front.length());
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
  }

  /// The state of one answer. Owned by its thread; only the time of the write is read by others.
  private final class Sending {
    private final Map<Topic, Long> sent = new IdentityHashMap<>();
    private final long from;
    private volatile long writing = Long.MAX_VALUE;
    private long due;

    Sending(long from) {
      this.from = from;
      this.due = ticker.nanos();
    }

    boolean isOverdue() {
      long began = writing;
      return began != Long.MAX_VALUE && ticker.nanos() - began > GIVEN_UP.toNanos();
    }

    void run(OutputStream out, List<Topic> topics, BooleanSupplier lives)
        throws IOException, InterruptedException {
      write(out, "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
      // A browser that missed nothing hears at once that it is up to date.
      long pinged = ticker.nanos() - PING.toNanos();
      while (true) {
        if (hub.isClosed() || !lives.getAsBoolean()) {
          write(
              out,
              event("bye", Json.object().put("why", hub.isClosed() ? "restart" : "session"), ""));
          return;
        }
        long number = hub.number();
        Optional<byte[]> batch = batch(topics, number);
        if (batch.isPresent()) {
          write(out, batch.get());
          pinged = ticker.nanos();
          pauseAfterBatch(pinged);
          continue;
        }
        long left = PING.toNanos() - (ticker.nanos() - pinged);
        if (left <= 0) {
          write(out, ALIVE);
          pinged = ticker.nanos();
          continue;
        }
        hub.await(number, Duration.ofNanos(left));
      }
    }

    private void pauseAfterBatch(long now) throws InterruptedException {
      due = Math.max(due, now) + PACE.toNanos();
      long early = due - now - (BURST - 1) * PACE.toNanos();
      if (early > 0) {
        pacer.pause(Duration.ofNanos(early));
      }
    }

    /// @param number of an event: all up to it are in the batch, and perhaps later ones
    private Optional<byte[]> batch(List<Topic> topics, long number) {
      List<Topic.Outgoing> events = new ArrayList<>();
      for (Topic topic : topics) {
        topic
            .after(sent.getOrDefault(topic, from))
            .ifPresent(
                event -> {
                  events.add(event);
                  sent.put(topic, event.version());
                });
      }
      if (events.isEmpty()) {
        return Optional.empty();
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = 0; i < events.size(); i++) {
        boolean last = i == events.size() - 1;
        bytes.writeBytes(
            event(
                events.get(i).kind(),
                events.get(i).data(),
                last ? "id: " + hub.epoch() + "-" + number + "\n" : ""));
      }
      return Optional.of(bytes.toByteArray());
    }

    private void write(OutputStream out, byte[] bytes) throws IOException {
      writing = ticker.nanos();
      out.write(bytes);
      out.flush();
      writing = Long.MAX_VALUE;
    }

    private static byte[] event(String kind, ObjectNode data, String id) {
      return (id
              + "event: "
              + kind
              + "\ndata: "
              + new String(Json.bytes(data), StandardCharsets.UTF_8)
              + "\n\n")
          .getBytes(StandardCharsets.UTF_8);
    }
  }
}
