//! Pictures without a window, for the command line and the tests: an own device, and the picture read back.

use std::sync::{Arc, Mutex};

use eframe::wgpu;
use image::RgbaImage;
use thiserror::Error;

use super::gpu::{COLOR_FORMAT, Gpu};
use super::scene::Scene;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum RenderError {
    /// No graphics card and no software for one.
    #[error("no graphics device was found ({0}); install a Vulkan driver, mesa-vulkan-drivers draws in software")]
    NoDevice(String),
    /// More pixels than the device draws.
    #[error("a picture of {width} × {height} pixels was asked for; this device draws 1 to {limit} each way")]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// Largest side.
        limit: u32,
    },
    /// The device refused something, which is a fault of this program, or it was lost.
    #[error("the graphics device reported: {0}")]
    Device(String),
}

/// A device that draws into memory.
pub struct Offscreen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: wgpu::AdapterInfo,
    gpu: Gpu,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Offscreen {
    /// Finds a device: any of Vulkan, Metal, DirectX or OpenGL, in hardware or software. The environment variables
    /// `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` narrow the choice, as in other programs on wgpu.
    ///
    /// # Errors
    /// [`RenderError::NoDevice`].
    pub fn new() -> Result<Self, RenderError> {
        let no_device = |error: &dyn std::fmt::Display| RenderError::NoDevice(error.to_string());
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let options = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&options)).map_err(|error| no_device(&error))?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("offscreen"),
            // What the window may count on, and large pictures where the adapter has them.
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| no_device(&error))?;
        let faults = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut faults) = heard.lock() {
                faults.push(error.to_string());
            }
        }));
        let info = adapter.get_info();
        let gpu = Gpu::new(&device, &queue, &info, COLOR_FORMAT);
        let offscreen = Self { device, queue, adapter: info, gpu, faults };
        offscreen.check()?;
        Ok(offscreen)
    }

    /// The device, for passes of one's own.
    pub fn device(&self) -> (&wgpu::Device, &wgpu::Queue, &wgpu::AdapterInfo) {
        (&self.device, &self.queue, &self.adapter)
    }

    /// What draws.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws a scene, sRGB pixels.
    ///
    /// # Errors
    /// [`RenderError::Size`] or [`RenderError::Device`].
    pub fn image(&mut self, scene: &Scene, size: [u32; 2]) -> Result<RgbaImage, RenderError> {
        let limit = self.device.limits().max_texture_dimension_2d;
        if size.iter().any(|side| !(1..=limit).contains(side)) {
            return Err(RenderError::Size { width: size[0], height: size[1], limit });
        }
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.gpu.render(&mut encoder, scene, size);
        self.queue.submit([encoder.finish()]);
        self.check()?;
        let picture = self.gpu.picture().ok_or_else(|| RenderError::Device("nothing was drawn".into()))?;
        self.read(picture)
    }

    /// As [`Self::image`], as the bytes of a PNG file.
    ///
    /// # Errors
    /// As [`Self::image`].
    pub fn png(&mut self, scene: &Scene, size: [u32; 2]) -> Result<Vec<u8>, RenderError> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let image = image::DynamicImage::from(self.image(scene, size)?).into_rgb8();
        image
            .write_to(&mut bytes, image::ImageFormat::Png)
            .map_err(|error| RenderError::Device(format!("its picture cannot be written: {error}")))?;
        Ok(bytes.into_inner())
    }

    /// Reads a four-byte texture back.
    ///
    /// # Errors
    /// [`RenderError::Device`].
    pub fn read(&self, texture: &wgpu::Texture) -> Result<RgbaImage, RenderError> {
        let device_error = |error: &dyn std::fmt::Display| RenderError::Device(error.to_string());
        let (width, height) = (texture.width(), texture.height());
        // Copies want rows of whole 256 bytes.
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        self.queue.submit([encoder.finish()]);
        let (send, receive) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            let _ = send.send(mapped);
        });
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| device_error(&error))?;
        self.check()?;
        let mapped = receive.recv().map_err(|error| device_error(&error))?;
        mapped.map_err(|error| device_error(&error))?;
        let bytes = buffer.get_mapped_range(..).map_err(|error| device_error(&error))?;
        let pixels: Vec<u8> =
            bytes.chunks_exact(row as usize).flat_map(|line| &line[..width as usize * 4]).copied().collect();
        RgbaImage::from_raw(width, height, pixels).ok_or_else(|| RenderError::Device("a short picture".into()))
    }

    fn check(&self) -> Result<(), RenderError> {
        match self.faults.lock() {
            Ok(faults) if faults.is_empty() => Ok(()),
            Ok(faults) => Err(RenderError::Device(faults.join("; "))),
            Err(_) => Err(RenderError::Device("an error while reporting an error".into())),
        }
    }
}
