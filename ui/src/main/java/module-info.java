/// The web page and the endpoint that feeds it. See README.md.
module io.fairlead.ui {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.fairlead.http;
  requires transitive io.fairlead.insight;
  requires org.slf4j;

  exports io.fairlead.ui;
}
