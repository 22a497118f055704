import { render } from 'preact';
import './main.css';
import { App } from './app';
import { followLocation } from './router';

followLocation();
const place = document.getElementById('page');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
