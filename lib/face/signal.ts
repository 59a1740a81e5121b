/** The namespace `Signal` as users call it. */
import { entry } from "../core/entry";
import * as signal from "../signal";

export type * from "../signal";

export const bartlett = entry("Nx.Signal.bartlett", signal.bartlett);
export const blackman = entry("Nx.Signal.blackman", signal.blackman);
export const blackmanHarris = entry("Nx.Signal.blackmanHarris", signal.blackmanHarris);
export const butter = entry("Nx.Signal.butter", signal.butter);
export const cosine = entry("Nx.Signal.cosine", signal.cosine);
export const dct = entry("Nx.Signal.dct", signal.dct);
export const filtfilt = entry("Nx.Signal.filtfilt", signal.filtfilt);
export const flatTop = entry("Nx.Signal.flatTop", signal.flatTop);
export const gaussian = entry("Nx.Signal.gaussian", signal.gaussian);
export const hamming = entry("Nx.Signal.hamming", signal.hamming);
export const hann = entry("Nx.Signal.hann", signal.hann);
export const hilbert = entry("Nx.Signal.hilbert", signal.hilbert);
export const idct = entry("Nx.Signal.idct", signal.idct);
export const istft = entry("Nx.Signal.istft", signal.istft);
export const kaiser = entry("Nx.Signal.kaiser", signal.kaiser);
export const lfilter = entry("Nx.Signal.lfilter", signal.lfilter, 3);
export const melFilters = entry("Nx.Signal.melFilters", signal.melFilters);
export const nuttall = entry("Nx.Signal.nuttall", signal.nuttall);
export const rectangular = entry("Nx.Signal.rectangular", signal.rectangular);
export const sosfilt = entry("Nx.Signal.sosfilt", signal.sosfilt);
export const spectrogram = entry("Nx.Signal.spectrogram", signal.spectrogram);
export const stft = entry("Nx.Signal.stft", signal.stft);
export const triangular = entry("Nx.Signal.triangular", signal.triangular);
export const tukey = entry("Nx.Signal.tukey", signal.tukey);
