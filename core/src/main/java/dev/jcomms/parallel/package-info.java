/**
 * Training on several ranks: {@link dev.jcomms.parallel.DataParallel} keeps one model on every rank
 * and averages its gradients.
 */
package dev.jcomms.parallel;
