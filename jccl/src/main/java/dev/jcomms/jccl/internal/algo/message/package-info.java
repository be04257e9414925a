/**
 * What algorithms that work with messages have in common: what they are asked to do, how they
 * reduce, and the memory they work in. The algorithms are in the neighbouring packages, one for
 * each collective.
 */
package dev.jcomms.jccl.internal.algo.message;
