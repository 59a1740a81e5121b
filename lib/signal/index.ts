/**
 * The namespace `Signal`: window functions, and spectra of stretches of signals.
 */
export {
  istft,
  spectrogram,
  stft,
  type Framed,
  type FrameOptions,
  type IstftOptions,
  type SpectrogramOptions,
  type StftOptions,
  type Unframed,
} from "./stft";
export {
  bartlett,
  blackman,
  blackmanHarris,
  cosine,
  flatTop,
  gaussian,
  hamming,
  hann,
  kaiser,
  nuttall,
  rectangular,
  triangular,
  tukey,
  type TukeyOptions,
  type WindowName,
  type WindowOptions,
} from "./windows";
