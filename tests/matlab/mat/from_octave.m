% Writes octave_v6.mat and octave_v7.mat, which ../files_test.py reads: octave-cli from_octave.m (GNU Octave 7.3).
d = [1 -2.5; NaN Inf];
f = single([0.1 3e38]);
z = [1+2i -3.5i];
c = single(1-1i);
small = 1:3;  % kept in one byte each
t = logical([1 0 1]);
text = ['abc'; 'xyz'];
accent = "h\303\251llo";
i8 = int8([-128 127]);
i16 = int16([-32768 32767]);
i32 = int32([intmin('int32') intmax('int32')]);
i64 = [intmin('int64') intmax('int64')];
u8 = uint8([0 255]);
u16 = uint16([0 65535]);
u32 = intmax('uint32');
u64 = intmax('uint64');
none = zeros(0, 3);
deep = reshape(1:24, 2, 3, 4);
big = zeros(30);
cells = {1, 'two'};
record = struct('a', 1);
sparse_one = sparse([1 2], [1 2], [3 4]);
clear ans
save('-v6', 'octave_v6.mat');
save('-v7', 'octave_v7.mat');
