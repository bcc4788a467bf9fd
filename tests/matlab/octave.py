"""Runs GNU Octave for the scripts that make the stored tables. Nothing that `./test` runs needs it."""
import subprocess
import tempfile

PRELUDE = r"""
1;
optimize_range (false); optimize_diagonal_matrix (false); optimize_permutation_matrix (false);
warning ('off', 'all');
page_screen_output (false);
function text = hex_of (x)
  if ischar (x)
    text = sprintf ('%04x ', double (x(:)));
  elseif islogical (x)
    text = sprintf ('%02x ', double (x(:)));
  elseif iscomplex (x)
    re = real (x); im = imag (x);  % x(:) would become real where it can
    parts = [cellstr(num2hex (re(:))), cellstr(num2hex (im(:)))]';
    text = sprintf ('%s:%s ', parts{:});
  elseif isempty (x)
    text = '';
  else
    parts = cellstr (num2hex (x(:)));
    text = sprintf ('%s ', parts{:});
  end
  text = strtrim (text);
end
function text = size_of (x)
  text = strjoin (arrayfun (@(n) sprintf ('%d', n), size (x), 'UniformOutput', false), 'x');
end
"""


def version():
    return subprocess.run(["octave-cli", "--version"], capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]


def quoted(text):
    """A char literal of the language."""
    return "'" + text.replace("'", "''") + "'"


def run(program):
    """What the program prints."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(PRELUDE + program)
        file.flush()
        done = subprocess.run(["octave-cli", "--no-init-file", "--no-site-file", "--quiet", file.name],
                              capture_output=True, check=True)
        return done.stdout.decode("latin-1")
