/// Background work: supervised loops, tasks, time and waiting. See README.md.
module io.fairlead.work {
  requires static org.jspecify;
  requires org.slf4j;

  exports io.fairlead.work;
  exports io.fairlead.work.testing;
}
