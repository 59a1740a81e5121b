/**
 * The namespace `Signal`: window functions, spectra of stretches of signals, cosine transforms, analytic signals and filters.
 */
export { butter, type Band, type ButterOptions } from "./butterworth";
export { lfilter, type FilterOptions } from "./filter";
export { melFilters, type MelOptions } from "./mel";
export { filtfilt, sosfilt, type BothWaysOptions, type PadType, type SectionOptions } from "./repeated";
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
export { dct, hilbert, idct, type DctOptions, type HilbertOptions } from "./transforms";
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
