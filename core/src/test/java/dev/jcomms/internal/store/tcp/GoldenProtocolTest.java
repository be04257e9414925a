package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.RawClient.VALIDATE;
import static dev.jcomms.internal.store.tcp.RawClient.int64;
import static dev.jcomms.internal.store.tcp.RawClient.text;

import dev.jcomms.store.TcpStoreServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The server's side of the protocol, byte for byte. What is written here was seen on the wire of
 * PyTorch 2.13 with its libuv server; where ours differs, the test's name says so.
 */
@Timeout(60)
final class GoldenProtocolTest {
  private final TcpStoreServer server = TcpStoreServer.start();
  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (RawClient client : clients) client.close();
    server.close();
  }

  private RawClient client() throws IOException {
    RawClient client = RawClient.valid(server.port());
    clients.add(client);
    return client;
  }

  @Test
  void aConnectionBeginsWithTheMagicNumberAndAPing() throws IOException {
    try (RawClient raw = new RawClient(server.port())) {
      raw.send("00 cef7853c 0d 39300000").expect("39300000");
    }
  }

  @Test
  void setAndGet() throws IOException {
    client()
        .send("01 0200000000000000 2f6b 0300000000000000 616263")
        .send("03 0200000000000000 2f6b")
        .expect("0300000000000000 616263");
  }

  @Test
  void getOfWhatIsNotThereIsEmpty() throws IOException {
    client().send("03 0200000000000000 2f6b").expect("0000000000000000").expectSilence();
  }

  @Test
  void compareSet() throws IOException {
    client()
        .send("02" + text("/k") + text("exp") + text("des"))
        .expect("0300000000000000 657870")
        .send("05 0100000000000000" + text("/k"))
        .expect("01")
        .send("02" + text("/k") + text("") + text("a"))
        .expect("0100000000000000 61")
        .send("02" + text("/k") + text("x") + text("b"))
        .expect("0100000000000000 61")
        .send("02" + text("/k") + text("a") + text("b"))
        .expect("0100000000000000 62");
  }

  @Test
  void add() throws IOException {
    client()
        .send("04 0200000000000000 2f6e 0500000000000000")
        .expect("0500000000000000")
        .send("04 0200000000000000 2f6e f9ffffffffffffff")
        .expect("feffffffffffffff")
        .send("03" + text("/n"))
        .expect("0200000000000000 2d32");
  }

  @Test
  void addWrapsAround() throws IOException {
    client()
        .send("01" + text("/n") + text("9223372036854775807") + "04" + text("/n") + int64(1))
        .expect("0000000000000080");
  }

  @Test
  void addReadsAsStrtollDoes() throws IOException {
    for (String[] sample :
        new String[][] {{" 12", "13"}, {"12abc", "13"}, {"+5", "6"}, {"-7", "-6"}, {"0x10", "1"}}) {
      client()
          .send("01" + text("/n") + text(sample[0]) + "04" + text("/n") + int64(1))
          .expect(int64(Long.parseLong(sample[1])));
    }
  }

  @Test
  void addToNoNumberEndsTheConnection() throws IOException {
    for (String value : List.of("", "x", "9223372036854775808")) {
      client().send("01" + text("/n") + text(value) + "04" + text("/n") + int64(1)).expectClosed();
    }
    client().send("03" + text("/n")).expect(text("9223372036854775808"));
  }

  @Test
  void check() throws IOException {
    client()
        .send("05 0000000000000000")
        .expect("00")
        .send("05 0100000000000000" + text("/k"))
        .expect("01")
        .send("01" + text("/k") + text("v") + "05 0200000000000000" + text("/k") + text("/k"))
        .expect("00");
  }

  @Test
  void waitAnswersWhenTheLastKeyComes() throws IOException {
    RawClient waiter = client().send("06 0300000000000000" + text("/a") + text("/b") + text("/a"));
    RawClient writer = client().send("01" + text("/a") + text("1")).expectSilence();
    waiter.expectSilence();
    writer.send("04" + text("/b") + int64(1)).expect(int64(1));
    waiter.expect("00");
    waiter.send("06 0200000000000000" + text("/a") + text("/b")).expect("00");
    waiter.send("06 0000000000000000").expect("00");
  }

  @Test
  void aKeyThatCameAndWentCounts() throws IOException {
    RawClient waiter = client().send("06 0200000000000000" + text("/a") + text("/b"));
    waiter.expectSilence();
    client()
        .send("01" + text("/a") + text("1") + "08" + text("/a"))
        .expect(int64(1))
        .send("01" + text("/b") + text("1"));
    waiter.expect("00");
  }

  @Test
  void cancelWait() throws IOException {
    RawClient waiter = client().send("06 0100000000000000" + text("/a") + "0c").expect("01");
    waiter.send("0c").expect("01");
    client().send("01" + text("/a") + text("1")).expectSilence();
    waiter.expectSilence();
    waiter.send("06 0100000000000000" + text("/a") + "0c").expect("00 01");
  }

  @Test
  void compareSetWakesButUnlikePyTorchNotWithoutTheKey() throws IOException {
    RawClient waiter = client().send("06 0100000000000000" + text("/k"));
    RawClient writer = client().send("02" + text("/k") + text("exp") + text("des"));
    writer.expect(text("exp"));
    waiter.expectSilence();
    writer.send("02" + text("/k") + text("") + text("des")).expect(text("des"));
    waiter.expect("00");
  }

  @Test
  void countDeleteAndList() throws IOException {
    client()
        .send("07")
        .expect(int64(0))
        .send("11")
        .expect(int64(0))
        .send("04" + text("init/") + int64(1))
        .expect(int64(1))
        .send("07")
        .expect("0100000000000000")
        .send("11")
        .expect("0100000000000000 0500000000000000 696e69742f")
        .send("08" + text("init/"))
        .expect("0100000000000000")
        .send("08" + text("init/"))
        .expect("0000000000000000");
  }

  @Test
  void append() throws IOException {
    client()
        .send("09" + text("/k") + text("ab") + "09" + text("/k") + text("c") + "03" + text("/k"))
        .expect(text("abc"));
  }

  @Test
  void manyAtOnce() throws IOException {
    client()
        .send("0b 0200000000000000" + text("/a") + text("1") + text("/b") + text(""))
        .send("0a 0300000000000000" + text("/b") + text("/a") + text("/none"))
        .expect(text("") + text("1") + text(""))
        .send("0a 0000000000000000")
        .send("0b 0000000000000000")
        .expectSilence();
  }

  @Test
  void aHalfMultiSetHasSetItsHalf() throws IOException {
    RawClient half = client().send("0b 0200000000000000" + text("/a") + text("1"));
    client().send("06 0100000000000000" + text("/a")).expect("00");
    half.send(text("/b") + text("2")).expectSilence();
  }

  @Test
  void queues() throws IOException {
    client()
        .send("10" + text("/q"))
        .expect(int64(0))
        .send("0f" + text("/q"))
        .expect("0000000000000000")
        .send("0e" + text("/q") + text("v1") + "0e" + text("/q") + text("v2") + "10" + text("/q"))
        .expect("0200000000000000")
        .send("0f" + text("/q"))
        .expect("0200000000000000 0200000000000000 7631")
        .send("0f" + text("/q"))
        .expect("0100000000000000 0200000000000000 7632")
        .send("07")
        .expect(int64(0));
  }

  @Test
  void aQueueIsCheckedAndWaitedForButNotDeletedOrGot() throws IOException {
    client()
        .send("0e" + text("/q") + text("v") + "05 0100000000000000" + text("/q"))
        .expect("00")
        .send("06 0100000000000000" + text("/q"))
        .expect("00")
        .send("08" + text("/q"))
        .expect(int64(0))
        .send("03" + text("/q"))
        .expect(int64(0))
        .send("10" + text("/q"))
        .expect(int64(1));
  }

  @Test
  void onePushWakesOneWaiterInOrder() throws IOException {
    RawClient first = client().send("06 0100000000000000" + text("/q")).expectSilence();
    RawClient second = client().send("06 0100000000000000" + text("/q")).expectSilence();
    RawClient writer = client().send("0e" + text("/q") + text("v1")).expectSilence();
    first.expect("00");
    second.expectSilence();
    writer.send("0e" + text("/q") + text("v2"));
    second.expect("00");
  }

  @Test
  void whatAWokenClientLeavesIsOfferedToTheNext() throws IOException {
    RawClient first = client().send("06 0100000000000000" + text("/q")).expectSilence();
    RawClient second = client().send("06 0100000000000000" + text("/q")).expectSilence();
    RawClient third = client().send("06 0100000000000000" + text("/q")).expectSilence();
    client().send("0e" + text("/q") + text("v1")).expectSilence();
    first.expect("00");
    second.expectSilence();
    first.close();
    second.expect("00");
    second.send("0c").expect("01");
    third.expect("00");
    third.send("0f" + text("/q")).expect(int64(1) + text("v1"));
  }

  @Test
  void barrierAnswersWhenTheWorldIsThere() throws IOException {
    RawClient waiter = client().send("06 0100000000000000" + text("/b")).expectSilence();
    RawClient first = client().send("12 0200000000000000 2f62 0200000000000000").expectSilence();
    waiter.expectSilence();
    client().send("12 0200000000000000 2f62 0200000000000000").expect("00");
    first.expect("00");
    waiter.expect("00");
    first.send("03" + text("/b")).expect(text("2"));
    first.send("12" + text("/b") + int64(2)).expect("00");
  }

  @Test
  void barrierOfNobodyAndBarrierOnNoNumber() throws IOException {
    client().send("12" + text("/b") + int64(0)).expect("00");
    client().send("01" + text("/x") + text("zzz") + "12" + text("/x") + int64(2)).expectClosed();
  }

  @Test
  void anyOtherWriteReleasesABarrierToo() throws IOException {
    RawClient first = client().send("12" + text("/b") + int64(3)).expectSilence();
    client().send("04" + text("/b") + int64(1)).expect(int64(2));
    first.expect("00");
  }

  @Test
  void anEmptyKeyIsAKey() throws IOException {
    client().send("01" + text("") + text("e") + "03" + text("")).expect(text("e"));
  }

  @Test
  void bytesMayComeOneAtATimeOrAllTogether() throws IOException {
    RawClient slow = new RawClient(server.port());
    clients.add(slow);
    String all = VALIDATE.replace(" ", "") + "01" + text("/k") + text("abc") + "03" + text("/k");
    for (int i = 0; i < all.length(); i += 2) slow.send(all.substring(i, i + 2));
    slow.expect(text("abc"));
    client()
        .send(("04" + text("/n") + int64(1)).repeat(100))
        .expect(int64(1) + int64(2) + int64(3));
  }

  @Test
  void aServerWithoutASecretSaysSo() throws IOException {
    client().send("4a" + "11".repeat(32)).expect("00").expectSilence();
  }

  @Test
  void aPushThatItsWaiterDoesNotComeForIsTheNextOnes() throws IOException {
    RawClient first = client();
    RawClient second = client();
    first.send("06" + int64(1) + text("/q")).expectSilence();
    second.send("06" + int64(1) + text("/q")).expectSilence();
    client().send("0e" + text("/q") + text("v")).expectSilence();
    first.expect("00");
    second.expectSilence();
    first.send("05" + int64(1) + text("/q")).expect("00");
    second.expect("00").send("0f" + text("/q")).expect(int64(1) + text("v"));
  }
}
