"""Training: one readable script per method, run as `python -m training.NAME`."""

import os

# Threads of torch that wait shall sleep. By default they spin, and where a core is busy with something else, training on two
# threads is then five times slower than on one. The OpenMP library reads this once, when torch is loaded, so it stands here.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
