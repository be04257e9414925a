package dev.jcomms.testkit;

/**
 * One way for a backend to be wrong, where the kit looks for it, and what the kit must say about
 * it.
 *
 * <p>The name says what the backend does; {@link FaultyBackend} does it.
 */
enum Fault {
  ADDS_ONE_TO_THE_LAST_ELEMENT(
      "all_reduce/combines f32", "all_reduce sum of", "tensor[", "should be"),
  CHANGES_THE_INPUT("all_gather/moves i32", "all_gather of", "input[0] was changed from"),
  LOSES_A_MESSAGE("send/moves i64 *", "recv", "timed out"),
  TAKES_THE_NEXT_ROOT("broadcast/moves f64", "broadcast of", "from root", "tensor[0] is"),
  LEAVES_THE_BARRIER_EARLY("barrier/nobody leaves *", "has left barrier #", "before rank", "came"),
  DIFFERS_IN_A_BIT_BY_RANK("all_reduce/*same bits*", "the bits of tensor[", " has 0x"),
  DIFFERS_IN_A_BIT_BY_TIME(
      "reduce_scatter_single/*f16 has the same bits*",
      "the bits of tensor[0]",
      "first time it was"),
  LEAVES_THE_LAST_SECTION_UNWRITTEN(
      "all_gather_single/moves i16", "all_gather_single of", "as it was before the call"),
  IGNORES_TIMEOUTS("timeout/a blocking call *", "all_reduce has not ended within 5300 ms"),
  SWALLOWS_MISMATCHES(
      "mismatch/all_reduce of different sizes *",
      "must fail with CommMismatchException; it returned"),
  IGNORES_TAGS("send_recv_batch/tags *", "received with tag", "[0] is", "should be"),
  TAKES_ANY_TAG(
      "send/a message of another tag *", "must fail with CommTimeoutException; it returned"),
  DROPS_THE_LAST_OF_ODD_COUNTS("reduce_scatter_single/combines f32", "output[", "1 of "),
  ROUNDS_AVERAGES("all_reduce/avg of i32 *", "all_reduce avg of 21 x i32", "tensor["),
  ACCUMULATES_F16_IN_F16("all_reduce/f16 accumulates *", "all_reduce sum of", "x f16", "2048"),
  SCATTERS_SUMS_OF_F16_IN_F16(
      "reduce_scatter_single/f16 accumulates *", "reduce_scatter_single sum of", "x f16", "2048"),
  REDUCES_ON_EVERY_RANK("reduce/combines i32", "reduce sum of", "to root", "it is an input"),
  LOSES_NAN("all_reduce/min and max of f32 *", "tensor[", "should be NaN"),
  MIXES_UP_DESTINATIONS("all_to_all_single/moves i32", "all_to_all_single of", "output["),
  WRITES_BEYOND_THE_OUTPUT("all_gather_single/moves i64", "memory after output was written to"),
  WRITES_GATHER_OUTPUT_ELSEWHERE("gather_single/moves i32", "output[", "it is an input"),
  SWAPS_OPERATIONS("order/operations on one tensor *", "broadcast", "2 x i64"),
  SLEEPS_THROUGH_ABORTS("abort/wakes a blocking call", "all_reduce has not ended within 5000 ms"),
  REFUSES_ZERO_ELEMENTS("broadcast/moves u8", "broadcast #", "nothing to send"),
  CLAIMS_WHAT_IT_LACKS("scatter/moves f32", "scatter is not there"),
  CLEARS_OUTPUTS_FIRST("all_reduce/works in place, i64", "tensors in place: memory[", "should be"),
  KEEPS_ITS_OWN_SECTION_FIRST(
      "all_gather_single/inputs may overlap *", "all_gather_single of 5 x", "memory[", "should be"),
  COMPLETES_BEFORE_IT_IS_DONE("all_to_all_single/moves *", "as it was before the call"),
  NAMES_ITSELF_MISSING("timeout/a blocking call *", "says that this rank itself is missing"),
  LOSES_PUTS("window/put, signal *, f32", "window of", "after put", "should be"),
  SIGNALS_TWICE("window/signals count*", "must fail with CommTimeoutException; it returned");

  /** A pattern of the scenarios that must find it. */
  final String foundBy;

  /** What the message must say, besides the rank. */
  final String[] says;

  Fault(String foundBy, String... says) {
    this.foundBy = foundBy;
    this.says = says;
  }

  String backend() {
    return "faulty-" + name().toLowerCase(java.util.Locale.ROOT);
  }
}
